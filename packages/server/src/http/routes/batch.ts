import { batchAnswerSchema, batchInputSchema } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { sizeOfBatch, toBatchKind } from '../../records/write/batch-kind.js';
import { recordBatch } from '../../records/write/record-batch.js';
import { type App, type AppDeps, MAX_JSON_BYTES } from '../app.js';
import { assertFewContents, assertFewSent, assertNames } from '../handlers/check-contents.js';
import { idempotently } from '../handlers/idempotency.js';
import { parseBatch } from '../handlers/parse-lists.js';
import { noteRecorded } from '../middleware/meter-usage.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { JSON_WRITE_ERRORS } from '../wire/error-schemas.js';
import { sentNames } from '../wire/json-body.js';
import { keyHeader } from '../wire/preferences.js';
import { projectOf } from '../wire/principal-of.js';
import { announcedBytes } from '../wire/receive-body.js';
import { passBody } from '../wire/validate-request.js';

const MAX_BATCH_BYTES = 4 * MAX_JSON_BYTES;

export function batchRoutes(app: App, deps: Pick<AppDeps, 'records' | 'running' | 'maxContents'>): void {
  app.post(
    '/v1/batch',
    {
      bodyLimit: MAX_BATCH_BYTES,
      config: { permission: 'write', holdsMany: true },
      // The hook below checks the body, in steps.
      validatorCompiler: passBody,
      preValidation: async (request, reply) => {
        assertFewSent(request.body, deps.records.maxBatchRecords);
        assertFewContents(request, deps.maxContents.batch);
        const signal = signalOfCaller(reply);
        await assertNames(request.body, { signal });
        request.body = await parseBatch(request.body, signal);
      },
      schema: {
        operationId: 'recordBatch',
        tags: ['records'],
        summary: 'Record entities, actions and attributions in one step, all of them or none',
        description:
          'The service records the entities first, then the actions, then the attributions, each list in its order. A ' +
          'record may refer to earlier ones. When one item is rejected, nothing is recorded. `details` then has an entry ' +
          'for each invalid item, with its path, such as `actions.3`. Actions with an `id` may be sent again. Each list ' +
          'has at most 1,000 records. All lists together have at most `MAX_BATCH_RECORDS` records: by default 1,000 with ' +
          'the embedded database, otherwise 3,000. More get 413, and `details.maxRecords` is the limit of this service. ' +
          'The embedded database writes some actions one by one, for example an action that has inputs and an output that ' +
          'is an input of an earlier action. If one action names a content by an alias, this database writes all new ' +
          'actions of the batch one by one. It writes at most `MAX_BATCH_RECORDS`/4 actions of a batch one by one. More ' +
          'get 413, and `details.maxActions` is this limit.',
        headers: keyHeader,
        body: batchInputSchema,
        response: {
          201: batchAnswerSchema.describe('Recorded'),
          200: batchAnswerSchema.describe('The whole batch was already recorded'),
          ...JSON_WRITE_ERRORS,
        },
      },
    },
    (request, reply) => {
      const sent = sentLists(request.sent);
      if (announcedBytes(request.headers) > MAX_JSON_BYTES) assertEachFits(sent);
      return idempotently({ deps, request, asked: request.body }, async (keyed) => {
        const asSent = sent.actions.map((action) => ({
          inputs: sentNames(action, 'inputCids'),
          outputs: sentNames(action, 'outputCids'),
        }));
        const projectId = projectOf(request);
        const signal = signalOfCaller(reply);
        const kind = toBatchKind(sizeOfBatch(request.body, announcedBytes(request.headers)));
        const { answer, actionsRecorded, isNew } = await deps.records.scheduler.run(
          { projectId, kind, signal },
          () => recordBatch(keyed, projectId, { input: request.body, asSent, signal }),
        );
        if (actionsRecorded > 0) noteRecorded(request, { bytesStored: 0, actionsRecorded });
        return reply.code(isNew ? 201 : 200).send(answer);
      });
    },
  );
}

type SentLists = Record<'entities' | 'actions' | 'attributions', unknown[]>;

function sentLists(sent: unknown): SentLists {
  const { entities = [], actions = [], attributions = [] } = Object(sent) as Partial<SentLists>;
  return { entities, actions, attributions };
}

/** Throws `PayloadTooLarge` for a record above the limit of a request with a single record. */
function assertEachFits(lists: SentLists): void {
  for (const [list, records] of Object.entries(lists)) {
    for (const [index, record] of records.entries()) {
      if (Buffer.byteLength(JSON.stringify(record)) <= MAX_JSON_BYTES) continue;
      throw new ServiceError('PayloadTooLarge', `${list}.${index} is larger than ${MAX_JSON_BYTES} bytes.`, {
        recovery: 'Store large content as a file, and name it by its CID.',
      });
    }
  }
}
