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

/** What a proven history may ask for. */
export interface ProvenOptions extends CallOptions {
  /** Key of the log that is trusted, as `receipts.verify` takes it; that of the client unless given. */
  trustedLog?: string;
}

/**
 * A history with its proof, to be kept as it is, and what was found of it. `otherHistory`: it is proven, but of another
 * content or another direction than was asked for. `trust`: whether the log's key was `given`, or is what the `service`
 * itself says, which proves nothing to somebody who does not trust the service.
 */
export interface ProvenHistory {
  bundle: ProvenBundle;
  report: BundleReport | { verified: false; code: 'otherHistory' };
  trust: 'given' | 'service';
}

/** What is asked for. */
interface Asked {
  cid: string;
  direction: BundleProof['direction'];
}

/** The parts of a client that prove histories. */
interface ProvenNeeds {
  /** Asks for it, with its proof. */
  readBundle: (options: CallOptions) => Promise<Bundle>;
  log: Log;
  trustedLog: string | undefined;
}

/**
 * The proven history of a content, and whether it holds. See `Histories.proven`.
 *
 * @example
 * const { cid } = await colophon.file(new TextEncoder().encode('proven'), { entity: { id: 'studio:ann', role: 'human' } });
 * (await colophon.histories.proven(cid)).trust; // => 'service'
 */
export async function readProvenHistory(
  { readBundle, log, ...own }: ProvenNeeds,
  asked: Asked,
  { trustedLog = own.trustedLog, ...options }: ProvenOptions = {},
): Promise<ProvenHistory> {
  const bundle = (await readBundle(options)) as ProvenBundle;
  const trust = trustedLog === undefined ? 'service' : 'given';
  const report = verifyProven(bundle, trustedLog ?? (await log.get(options)).verifierKey);
  if (!report.verified || isOf(bundle, asked)) return { bundle, report, trust };
  return { bundle, report: { verified: false, code: 'otherHistory' }, trust };
}

/** Whether a bundle holds by this key. See `Histories.verify`. */
export function verifyProven(bundle: unknown, trustedLog: string | undefined): BundleReport {
  return verifyBundle(bundle, requireTrustedLog(trustedLog), verifyEd25519);
}

/** Whether the bundle, which holds, is what was asked for: the content by one of its names, and the direction. */
function isOf({ cid, aliases = {}, proof }: ProvenBundle, asked: Asked): boolean {
  const name = parseContentId(asked.cid) ?? asked.cid;
  const isSame = cid === name || (Object.hasOwn(aliases, name) && aliases[name] === cid);
  return isSame && proof.direction === asked.direction;
}
