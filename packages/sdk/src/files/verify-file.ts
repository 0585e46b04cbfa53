import {
  type Action,
  type Bundle,
  createContentHasher,
  findCorrections,
  lastCorrection,
  type Receipt,
  type ReceiptReport,
} from '@colophon/model';
import type { Log } from '../log/log.js';
import type { Receipts } from '../log/receipts.js';
import type { Histories } from '../records/histories.js';
import { ApiError } from '../transport/api-error.js';
import type { CallOptions } from '../transport/call-options.js';
import { type Content, readContent } from '../transport/content.js';
import { nativeSha256 } from './native-sha256.js';

/** Options of a verification. */
export interface VerifyFileOptions extends CallOptions {
  /** Key of the trusted log, as for `receipts.verify`. The default is `trustedLog` of the client. */
  trustedLog?: string;
}

/**
 * The result of a verification. `cid` is the CID that the client verified. `notRecorded`: the project has no record of
 * these bytes, so the file was never recorded or has changed. `onlyNamed`: an action names the content as its input,
 * but no action recorded it. `action` is the first action that recorded the content. If this action was corrected,
 * `action` is its last correction. `receiptRefused`: the receipt does not verify, and `report` has the reason.
 * `otherRecord`: the receipt is valid, but it is for another action, or its action does not have the content as an
 * output. `trust` states the source of the log's key: `given` by the caller, or from the `service` itself. A key from
 * the service proves nothing to a reader who does not trust the service.
 */
export type FileVerdict =
  | {
      verified: true;
      cid: string;
      action: Action;
      bundle: Bundle;
      report: ReceiptReport;
      trust: 'given' | 'service';
    }
  | { verified: false; cid: string; reason: 'notRecorded' }
  | { verified: false; cid: string; reason: 'onlyNamed'; bundle: Bundle }
  | {
      verified: false;
      cid: string;
      reason: 'receiptRefused' | 'otherRecord';
      bundle: Bundle;
      report: ReceiptReport;
    };

interface VerifyDeps {
  histories: Histories;
  receipts: Receipts;
  log: Log;
  trustedLog: string | undefined;
}

/**
 * Verifies whether exactly this file is recorded, and whether the log contains the record. See `Client.verify`.
 *
 * @example
 * (await colophon.verify(new TextEncoder().encode('never recorded'))).verified; // => false
 */
export async function verifyFile(
  deps: VerifyDeps,
  content: Content,
  options: VerifyFileOptions = {},
): Promise<FileVerdict> {
  return verifyCid(deps, await computeCid(content), options);
}

/**
 * Does the same as `verifyFile` for a content with a known CID. See `Client.verifyCid`.
 *
 * @example
 * const cid = await computeCid(new TextEncoder().encode('never recorded'));
 * (await colophon.verifyCid(cid)).verified; // => false
 */
export async function verifyCid(
  deps: VerifyDeps,
  cid: string,
  { trustedLog = deps.trustedLog, ...options }: VerifyFileOptions = {},
): Promise<FileVerdict> {
  const bundle = await readBundle(deps.histories, cid, options);
  if (bundle === undefined) return { verified: false, cid, reason: 'notRecorded' };
  const names = namesOf(cid, bundle);
  const action = findAction(bundle, names);
  if (action === undefined) return { verified: false, cid, reason: 'onlyNamed', bundle };
  const receipt = await deps.receipts.get('action', action.id, options);
  const key = trustedLog ?? (await deps.log.get(options)).verifierKey;
  const report = deps.receipts.verify(receipt, key);
  if (!report.verified) return { verified: false, cid, reason: 'receiptRefused', bundle, report };
  if (!isOf(receipt, action.id, names)) {
    return { verified: false, cid, reason: 'otherRecord', bundle, report };
  }
  return {
    verified: true,
    cid,
    action,
    bundle,
    report,
    trust: trustedLog === undefined ? 'service' : 'given',
  };
}

/**
 * Computes the content id of bytes (CIDv1, profile `unixfs-v1-2025`) in the client. It is the same id that the
 * service computes.
 *
 * @example
 * await computeCid(new TextEncoder().encode('hello world')); // => 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'
 */
export async function computeCid(content: Content): Promise<string> {
  const createSha256 = nativeSha256();
  const hasher = createContentHasher(createSha256 === undefined ? {} : { createSha256 });
  for await (const piece of readContent(content)) hasher.update(piece);
  return hasher.finish().cid;
}

/** Returns the computed CID, the canonical CID and its aliases. */
function namesOf(cid: string, { cid: canonical, aliases = {} }: Bundle): Set<string> {
  return new Set([cid, canonical, ...Object.keys(aliases).filter((name) => aliases[name] === canonical)]);
}

/** Returns the first action that made the content, or its last correction. */
function findAction({ actions, aliases }: Bundle, names: ReadonlySet<string>): Action | undefined {
  const makes = ({ outputCids }: Action) => outputCids.some((output) => names.has(output));
  const corrections = findCorrections(actions, aliases);
  const making = new Map(actions.filter(makes).map((action) => [action.id, action]));
  const [first] = making.values();
  // A correction has all outputs of the corrected action, so `making` contains it.
  return first && making.get(lastCorrection(corrections, first.id));
}

function isOf({ record: { body } }: Receipt, actionId: string, names: ReadonlySet<string>): boolean {
  const { id, outputCids } = body;
  return (
    id === actionId &&
    Array.isArray(outputCids) &&
    outputCids.some((output) => typeof output === 'string' && names.has(output))
  );
}

async function readBundle(
  histories: Histories,
  cid: string,
  options: CallOptions,
): Promise<Bundle | undefined> {
  try {
    return await histories.bundle(cid, {}, options);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NotFound') return undefined;
    throw error;
  }
}
