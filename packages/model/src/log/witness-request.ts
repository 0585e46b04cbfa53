import { fromBase64, toBase64 } from '../base64.js';
import { parseCheckpoint, type SignedCheckpoint } from './checkpoint.js';
import { isHash } from './tree-hash.js';

/** A request to a witness to cosign a checkpoint (C2SP tlog-witness, "add-checkpoint"). */
export interface WitnessRequest {
  /** Size of the checkpoint that the witness cosigned last; 0 for none. */
  oldSize: number;
  /** The consistency proof from `oldSize` to the size of the checkpoint. */
  path: readonly Uint8Array[];
  checkpoint: SignedCheckpoint;
  /** The signed note of the checkpoint. */
  note: string;
}

/** C2SP tlog-witness, "add-checkpoint". */
const MAX_PROOF_LINES = 63;

/**
 * Returns the body of a request to a witness: the old size, the consistency proof, an empty line, and the signed note.
 *
 * @example
 * formatWitnessRequest({ oldSize: 0, path: [], note: 'a\n\n\u2014 a AAAAAAA=\n' }); // => 'old 0\n\na\n\n\u2014 a AAAAAAA=\n'
 */
export function formatWitnessRequest({ oldSize, path, note }: Omit<WitnessRequest, 'checkpoint'>): string {
  return `old ${oldSize}\n${path.map((hash) => `${toBase64(hash)}\n`).join('')}\n${note}`;
}

/**
 * Parses the body of a request to a witness, without verification of signatures and proofs. Returns undefined when the
 * body is malformed, and when the old size is above the size of the checkpoint.
 *
 * @example
 * parseWitnessRequest('old 0\n\nno checkpoint\n'); // => undefined
 */
export function parseWitnessRequest(body: string): WitnessRequest | undefined {
  const end = body.indexOf('\n\n');
  const [first = '', ...lines] = body.slice(0, Math.max(0, end)).split('\n');
  const [, digits] = /^old (0|[1-9]\d*)$/.exec(first) ?? [];
  const oldSize = Number(digits);
  const path = lines.map(fromBase64).filter(isHash);
  const isWhole = path.length === lines.length && path.length <= MAX_PROOF_LINES;
  const note = body.slice(end + 2);
  const checkpoint = parseCheckpoint(note);
  if (!isWhole || !Number.isSafeInteger(oldSize) || checkpoint === undefined) return undefined;
  return oldSize <= checkpoint.size ? { oldSize, path, checkpoint, note } : undefined;
}
