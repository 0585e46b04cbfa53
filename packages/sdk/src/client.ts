import type {
  ActivityRequest,
  ActivityResult,
  BatchAnswer,
  BatchRequest,
  ComplianceReport,
  Detection,
  Mark,
  MarkRequest,
} from '@colophon/model';
import { type Compliance, createCompliance, type ReportQuery } from './compliance/compliance.js';
import { type RecordFileOptions, recordFile } from './files/record-file.js';
import { type FileVerdict, type VerifyFileOptions, verifyCid, verifyFile } from './files/verify-file.js';
import { createLog, type Log } from './log/log.js';
import { createReceipts, type Receipts } from './log/receipts.js';
import { createMedia, type EmbedOptions, type Media, toEmbedding, toReading } from './media/media.js';
import { createLabels, type Labels } from './publications/labels.js';
import { createPublications, type Publications } from './publications/publications.js';
import { createPublished, type Published } from './publications/published.js';
import { type Actions, createActions } from './records/actions.js';
import { type Attributions, createAttributions } from './records/attributions.js';
import { createDistributions, type Distributions } from './records/distributions.js';
import { createEntities, type Entities } from './records/entities.js';
import { createHistories, type Histories } from './records/histories.js';
import { createOwnerships, type Ownerships } from './records/ownerships.js';
import { createResources, type Resources } from './records/resources.js';
import { createSearch, type Search } from './search/search.js';
import { createSoftBindings, type SoftBindings } from './search/soft-bindings.js';
import { createService, type Service } from './service.js';
import type { CallOptions, UploadOptions } from './transport/call-options.js';
import type { Content } from './transport/content.js';
import { createTransport, type TransportOptions } from './transport/transport.js';

/** The service and the credentials of the caller. */
export interface ClientOptions extends TransportOptions {
  /**
   * Key of a project. All requests need it, except those of `service`, `published`, `labels`, `detect` and
   * `softBindings`.
   */
  apiKey?: string | undefined;
  /** Key of the trusted log: a stored `verifierKey` of `log.get()`, or a public key as 64 hex digits. */
  trustedLog?: string | undefined;
}

/** All operations with records and their proofs. Most operations need the key of a project. */
export interface Client {
  /**
   * Records a file: entity, action, content and attribution in one atomic step. The default `action` is a `create`,
   * by which the entity claims the content. A `reference` states that the content comes from elsewhere. `matches` in
   * the response are similar contents. With a `signer`, the client signs the action, and the entity needs an `id`.
   *
   * Throws `ApiError`: `Duplicate` for bytes that are already recorded (see `duplicateOf`), `ValidationError`,
   * `NotFound`, `Conflict`, `Forbidden`, `PayloadTooLarge`. Throws `NoAnswerError` when no response arrives.
   *
   * @example
   * const signer = createSigner('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb');
   * const entity = { id: 'studio:dee', role: 'human', name: 'Dee' };
   * const recorded = await colophon.file(new TextEncoder().encode('a drawing'), { entity }, { signer });
   * [recorded.state, recorded.size]; // => ['claimed', 9]
   */
  file(content: Content, activity: ActivityRequest, options?: RecordFileOptions): Promise<ActivityResult>;
  /**
   * Records up to 1,000 entities, 1,000 actions and 1,000 attributions in one atomic step. The order is entities,
   * actions, attributions; each record may refer to the records before it. Actions with an `id` (a UUID) can be sent
   * again: actions that are already recorded get `replayed: true`.
   *
   * Throws the `ApiError` of the first invalid record. Its `details` list `{ path, message, code }` for each invalid
   * record; a path is, for example, `actions.3`. Throws `PayloadTooLarge` for a body of more than 4 MiB, and for more
   * records than the service accepts: by default 1,000 in total with the embedded database, otherwise 3,000. Then
   * `details.maxRecords` is the limit.
   *
   * With the embedded database, also throws `PayloadTooLarge` for too many actions that have inputs and make an input
   * of an earlier action. If an action names a content by an alias, all new actions count. `details.maxActions` is the
   * limit, `MAX_BATCH_RECORDS`/4.
   *
   * @example
   * const entities = [{ id: 'studio:eve', role: 'human' }];
   * const first = `sha256:${'a1'.repeat(32)}`;
   * const made = { performedBy: 'studio:eve', outputCids: [first] };
   * const changed = { type: 'transform', performedBy: 'studio:eve', inputCids: [first], outputCids: [`sha256:${'a2'.repeat(32)}`] };
   * const { actions } = await colophon.batch({ entities, actions: [made, changed] });
   * actions.map(({ replayed }) => replayed); // => [false, false]
   */
  batch(records: BatchRequest, options?: CallOptions): Promise<BatchAnswer>;
  /**
   * Marks a content as made with or without AI, on every layer that its format supports: a signed manifest, a
   * fingerprint, the log, and, for pictures, sounds and videos, a watermark. `watermark: false` turns the watermark
   * off. `layers` in the response has the state of each layer. For a format with manifests, `cid` names a signed
   * copy; read it with `resources.content`. For other formats, `cid` names the content itself.
   *
   * Throws `ApiError`: `NotFound` for an unknown entity, `ValidationError`, `Conflict`, `Duplicate` for recorded bytes
   * of a format without manifests, `PayloadTooLarge`.
   *
   * @example
   * const said = { entityId: 'studio:ann', generator: 'Studio', aiDisclosure: 'ai_generated' };
   * const { layers } = await colophon.mark(png, said);
   * layers.map(({ kind }) => kind); // => ['manifest', 'fingerprint', 'log', 'watermark']
   * layers[0].state; // => 'added'
   */
  mark(content: Content, request: MarkRequest, options?: EmbedOptions): Promise<Mark>;
  /**
   * Finds marks of AI in a file, if the service has a public detector. The service looks for a manifest in the file. It
   * also looks for published content that the file equals or resembles, or to which the watermark of the file points.
   * The call needs no key. The service stores nothing.
   *
   * Throws `ApiError`: `NotFound` without a detector, `PayloadTooLarge`, `TooManyRequests`.
   *
   * @example
   * const { layers, checks } = await colophon.detect(png);
   * layers; // => []
   * checks.map(({ kind }) => kind); // => ['manifest', 'fingerprint', 'log', 'watermark']
   */
  detect(content: Content, options?: UploadOptions): Promise<Detection>;
  /**
   * Verifies whether exactly this file is recorded. The client computes its CID, reads its history, and verifies the
   * receipt of the action that made the file. For a file that is not recorded, the call returns a report, not an error.
   * The call throws `ApiError` or `NoAnswerError` when it cannot read the data.
   *
   * @example
   * const bytes = new TextEncoder().encode('a sketch');
   * await colophon.file(bytes, { entity: { id: 'studio:ann', role: 'human' } });
   * (await colophon.verify(bytes)).verified; // => true
   */
  verify(content: Content, options?: VerifyFileOptions): Promise<FileVerdict>;
  /**
   * Does the same as `verify` for a file whose CID the caller computed. The report is about the CID, so compute the CID
   * from the file itself.
   *
   * @example
   * const bytes = new TextEncoder().encode('a pastel');
   * await colophon.file(bytes, { entity: { id: 'studio:ann', role: 'human' } });
   * (await colophon.verifyCid(await computeCid(bytes))).verified; // => true
   */
  verifyCid(cid: string, options?: VerifyFileOptions): Promise<FileVerdict>;
  /**
   * Returns the facts about the marks of the project in a period, for an auditor. See `compliance.report`.
   *
   * @example
   * const report = await colophon.complianceReport({ from: '2026-01-01', to: '2026-07-01' });
   * report.robustness[0].method; // => 'image-mark/1'
   */
  complianceReport(query?: ReportQuery, options?: CallOptions): Promise<ComplianceReport>;
  readonly compliance: Compliance;
  readonly entities: Entities;
  readonly actions: Actions;
  readonly attributions: Attributions;
  readonly resources: Resources;
  readonly ownerships: Ownerships;
  readonly histories: Histories;
  readonly distributions: Distributions;
  readonly media: Media;
  readonly search: Search;
  readonly softBindings: SoftBindings;
  readonly log: Log;
  readonly receipts: Receipts;
  readonly publications: Publications;
  readonly published: Published;
  readonly labels: Labels;
  readonly service: Service;
}

/**
 * Creates a client of the service at `url`. The client has no resources to close. After a temporary failure, the client
 * repeats the attempt, at most `maxRetries` times. Before each repetition, it waits for the delay that the service
 * requests, or for a growing delay. A POST that records data has an `Idempotency-Key`, so that a repetition records
 * nothing twice.
 *
 * @example
 * const { service } = createClient({ url, apiKey });
 * (await service.health()).status; // => 'ok'
 */
export function createClient({ apiKey, trustedLog, ...options }: ClientOptions): Client {
  const authorization: Record<string, string> =
    apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const transport = createTransport({ ...options, authorization });
  const log = createLog(transport);
  const histories = createHistories(transport, { log, trustedLog });
  const receipts = createReceipts(transport, trustedLog);
  const compliance = createCompliance(transport);
  const verifying = { histories, receipts, log, trustedLog };
  return {
    file: (content, activity, given) => recordFile(transport, { content, activity }, given),
    batch: (json, given) => transport.ask({ method: 'POST', path: '/v1/batch', json }, given),
    mark: (content, request, given) => transport.ask(...toEmbedding('/v1/mark', { content, request }, given)),
    detect: (content, given) => transport.ask(...toReading('/public/detect', content, given)),
    verify: (content, given) => verifyFile(verifying, content, given),
    verifyCid: (cid, given) => verifyCid(verifying, cid, given),
    complianceReport: compliance.report,
    compliance,
    entities: createEntities(transport),
    actions: createActions(transport),
    attributions: createAttributions(transport),
    resources: createResources(transport),
    ownerships: createOwnerships(transport),
    histories,
    distributions: createDistributions(transport),
    media: createMedia(transport),
    search: createSearch(transport),
    softBindings: createSoftBindings(transport, apiKey === undefined ? '/public/c2pa' : '/v1/c2pa'),
    log,
    receipts,
    publications: createPublications(transport),
    published: createPublished(transport),
    labels: createLabels(transport),
    service: createService(transport),
  };
}
