import {
  type CosignatureVerifiers,
  formatWitnessRequest,
  parseCheckpoint,
  verifyCosignature,
  type WitnessKey,
} from '@colophon/model';
import { readBounded } from '../platform/net/read-bounded.js';

export interface RemoteWitness {
  /** The name of the witness in the database and in `Backoff`. Contains no blanks. */
  id: string;
  key: WitnessKey;
  /** The submission prefix (C2SP tlog-witness): requests go to `<url>/add-checkpoint`. */
  url: string;
}

export interface CosignatureRequest {
  note: string;
  size: number;
  /** Size of the present tree of the log. */
  presentSize: number;
  /** Size of the checkpoint that the witness cosigned last, as far as the service knows. */
  oldSize: number;
  proveConsistency: (from: number) => Promise<Uint8Array[]>;
}

export interface RequestDeps {
  verify: CosignatureVerifiers;
  timeoutMs: number;
  stopping: AbortSignal;
}

/** The witness does not respond, or responds that it cannot serve requests now. */
export class WitnessAwayError extends Error {
  constructor(url: string, said: string, options?: ErrorOptions) {
    super(`The witness at ${url} ${said}`, options);
    this.name = 'WitnessAwayError';
  }
}

export class WitnessRefusedError extends Error {
  constructor(url: string, said: string) {
    super(`The witness at ${url} ${said}`);
    this.name = 'WitnessRefusedError';
  }
}

const MAX_ANSWER_BYTES = 65_536;

/** `cosignedSize`: the size of a larger tree of the present log that the witness has already cosigned. */
export type CosignatureAnswer = { line: string } | { cosignedSize: number };

/**
 * Verifies the cosignature. If the witness last cosigned a tree of another size than `oldSize`, repeats the request
 * once. Rejects with WitnessAwayError or WitnessRefusedError.
 */
export async function requestCosignature(
  deps: RequestDeps,
  witness: RemoteWitness,
  request: CosignatureRequest,
): Promise<CosignatureAnswer> {
  const first = await send(deps, witness, request);
  const latest = readCosignedSize(first);
  const isRepeated = latest !== undefined && latest !== request.oldSize && latest <= request.size;
  const answer = isRepeated ? await send(deps, witness, { ...request, oldSize: latest }) : first;
  const cosignedSize = readCosignedSize(answer);
  if (cosignedSize !== undefined && cosignedSize > request.size && cosignedSize <= request.presentSize)
    return { cosignedSize };
  if (answer.status !== 200) throw toError(witness.url, answer);
  const line = answer.text
    .split('\n')
    .map((one) => `${one}\n`)
    .find((one) => isCosignature(deps, witness.key, request.note + one));
  if (line === undefined) throw new WitnessRefusedError(witness.url, 'answered without a valid cosignature.');
  return { line };
}

interface ReceivedAnswer {
  status: number;
  text: string;
}

async function send(
  { timeoutMs, stopping }: RequestDeps,
  { url }: RemoteWitness,
  { note, oldSize, proveConsistency }: CosignatureRequest,
): Promise<ReceivedAnswer> {
  const body = formatWitnessRequest({ oldSize, path: await proveConsistency(oldSize), note });
  try {
    const answer = await fetch(`${url.replace(/\/+$/, '')}/add-checkpoint`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      redirect: 'error',
      signal: AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]),
    });
    return { status: answer.status, text: (await readBounded(answer.body, MAX_ANSWER_BYTES)).toString() };
  } catch (cause) {
    throw new WitnessAwayError(url, 'does not answer.', { cause });
  }
}

function toError(url: string, answer: ReceivedAnswer): Error {
  const { status } = answer;
  // With 429, a witness limits the requests for one log. Requests for other logs must not pause.
  if (status >= 500) return new WitnessAwayError(url, `answered ${status}.`);
  const latest = readCosignedSize(answer);
  if (latest === undefined) return new WitnessRefusedError(url, `answered ${status}.`);
  return new WitnessRefusedError(
    url,
    `has cosigned a tree of ${latest} leaves that is not a part of this log. Was the database restored?`,
  );
}

/** A response with the status 409 contains the size of the tree that the witness cosigned last. */
function readCosignedSize({ status, text }: ReceivedAnswer): number | undefined {
  if (status !== 409) return undefined;
  const size = /^(?:0|[1-9]\d*)\n$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(size) ? size : undefined;
}

/** With ML-DSA-44, a cosignature for `add-checkpoint` must state a time (C2SP tlog-witness, "add-checkpoint"). */
function isCosignature({ verify }: RequestDeps, key: WitnessKey, note: string): boolean {
  const checkpoint = parseCheckpoint(note);
  const report = checkpoint && verifyCosignature(checkpoint.note, key, verify);
  return report?.verified === true && (key.algorithm === 'ed25519' || report.timeSeconds > 0);
}
