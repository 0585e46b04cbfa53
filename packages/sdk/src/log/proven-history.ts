import {
  type Bundle,
  type BundleProof,
  type BundleReport,
  type ProvenBundle,
  parseContentId,
  verifyBundle,
  verifyEd25519,
} from '@colophon/model';
import type { CallOptions } from '../transport/call-options.js';
import type { Log } from './log.js';
import { requireTrustedLog } from './receipts.js';

/** Options of a proven history. */
export interface ProvenOptions extends CallOptions {
  /** Key of the trusted log, as for `receipts.verify`. The default is `trustedLog` of the client. */
  trustedLog?: string;
}

/**
 * A history with its proof, and the result of the verification. Store `bundle` unchanged. `otherHistory`: the proof is
 * valid, but not for the requested content or direction. `trust` states the source of the log's key: `given` by the
 * caller, or from the `service` itself. A key from the service proves nothing to a reader who does not trust the
 * service.
 */
export interface ProvenHistory {
  bundle: ProvenBundle;
  report: BundleReport | { verified: false; code: 'otherHistory' };
  trust: 'given' | 'service';
}

interface Asked {
  cid: string;
  direction: BundleProof['direction'];
}

interface ProvenDeps {
  readBundle: (options: CallOptions) => Promise<Bundle>;
  log: Log;
  trustedLog: string | undefined;
}

/**
 * Reads the proven history of a content and verifies it. See `Histories.proven`.
 *
 * @example
 * const { cid } = await colophon.file(new TextEncoder().encode('proven'), { entity: { id: 'studio:ann', role: 'human' } });
 * (await colophon.histories.proven(cid)).trust; // => 'service'
 */
export async function readProvenHistory(
  { readBundle, log, ...own }: ProvenDeps,
  asked: Asked,
  { trustedLog = own.trustedLog, ...options }: ProvenOptions = {},
): Promise<ProvenHistory> {
  const bundle = (await readBundle(options)) as ProvenBundle;
  const trust = trustedLog === undefined ? 'service' : 'given';
  const report = verifyProven(bundle, trustedLog ?? (await log.get(options)).verifierKey);
  if (!report.verified || isOf(bundle, asked)) return { bundle, report, trust };
  return { bundle, report: { verified: false, code: 'otherHistory' }, trust };
}

export function verifyProven(bundle: unknown, trustedLog: string | undefined): BundleReport {
  return verifyBundle(bundle, requireTrustedLog(trustedLog), verifyEd25519);
}

/** Any identifier of the content matches. */
function isOf({ cid, aliases = {}, proof }: ProvenBundle, asked: Asked): boolean {
  const name = parseContentId(asked.cid) ?? asked.cid;
  const isSame = cid === name || (Object.hasOwn(aliases, name) && aliases[name] === cid);
  return isSame && proof.direction === asked.direction;
}
