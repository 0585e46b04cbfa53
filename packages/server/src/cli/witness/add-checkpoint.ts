import {
  cosign,
  emptyRoot,
  findSignerFault,
  type MlDsaSigner,
  type NoteSigner,
  parseWitnessRequest,
  type SignedCheckpoint,
  type TrustedLog,
  type VerifySignature,
  verifyGrowth,
  type WitnessRequest,
} from '@colophon/model';
import type { LocalLimiter } from '../../access/limiter.js';
import type { CheckpointStore } from './file-per-log.js';

export interface Witness {
  name: string;
  signer: NoteSigner | MlDsaSigner;
  /** The keys of each known log, by its origin. */
  logs: ReadonlyMap<string, readonly TrustedLog[]>;
  checkpoints: CheckpointStore;
  verify: VerifySignature;
  /** Counts the requests with a signature of the log, for each log and client. */
  limiter: LocalLimiter;
  /** Unix time in milliseconds. */
  now: () => number;
}

/** `latestSize`: size of the newest checkpoint that the witness has cosigned. */
export type WitnessAnswer =
  | { status: 200; cosignature: string }
  | { status: 400 | 403 | 404 | 422; reason: string }
  | { status: 409; latestSize: number }
  | { status: 429; retryAfterSeconds: number };

/**
 * The operation `add-checkpoint` (C2SP tlog-witness). Requests for one log run one after the other, so that none
 * replaces the checkpoint with which another one compares. Each `client` has its own limit for each log, because
 * anybody can send a public checkpoint again.
 */
export function createAddCheckpoint(
  witness: Witness,
): (body: string, client: string) => Promise<WitnessAnswer> {
  const running = new Map<string, Promise<unknown>>();
  return async (body, client) => {
    const request = parseWitnessRequest(body);
    if (request === undefined) return { status: 400, reason: 'The body is not an add-checkpoint request.' };
    const { origin } = request.checkpoint;
    const keys = witness.logs.get(origin);
    if (keys === undefined) return { status: 404, reason: 'This witness does not know the log.' };
    if (!keys.some((trusted) => isSignedBy(request.checkpoint, trusted, witness.verify)))
      return { status: 403, reason: 'No known key of the log signed the checkpoint.' };
    // An origin contains no blanks, so each pair of origin and client has its own name in the limiter.
    const { allowed, resetAfter } = witness.limiter.take(`${origin} ${client}`);
    if (!allowed) return { status: 429, retryAfterSeconds: resetAfter };
    const before = running.get(origin) ?? Promise.resolve();
    const answer = before.then(() => compareAndCosign(witness, request));
    // A failed request must not fail the next one.
    running.set(
      origin,
      answer.catch(() => undefined),
    );
    return answer;
  };
}

async function compareAndCosign(
  { name, signer, checkpoints, now }: Witness,
  { oldSize, path, checkpoint, note }: WitnessRequest,
): Promise<WitnessAnswer> {
  const { origin } = checkpoint;
  const stored = await checkpoints.readLatest(origin);
  const latest = stored ?? { size: 0, root: emptyRoot() };
  if (oldSize !== latest.size) return { status: 409, latestSize: latest.size };
  const report = verifyGrowth(latest, checkpoint, path);
  if (!report.verified && report.code === 'splitView') return { status: 409, latestSize: latest.size };
  if (!report.verified)
    return { status: 422, reason: 'The consistency proof does not lead from the old tree to the new one.' };
  if (stored?.size !== checkpoint.size) await checkpoints.write(origin, note);
  const timeSeconds = Math.floor(now() / 1000);
  return { status: 200, cosignature: cosign(checkpoint.note.text, { name, timeSeconds }, signer) };
}

function isSignedBy(checkpoint: SignedCheckpoint, trusted: TrustedLog, verify: VerifySignature): boolean {
  return findSignerFault(checkpoint, { named: checkpoint.origin, trusted, verify }) === undefined;
}
