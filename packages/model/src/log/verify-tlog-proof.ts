import { fromBase64 } from '../base64.js';
import type { VerifySignature } from '../proofs/signature.js';
import { parseCheckpoint } from './checkpoint.js';
import { TLOG_PROOF_HEADER } from './receipt-formats.js';
import { isHash, leafHash } from './tree-hash.js';
import { type Inclusion, verifyInclusion } from './verify-proofs.js';
import { RECEIPT_FAULTS } from './verify-receipt.js';
import { findSignerFault, type TrustedLog } from './verify-signer.js';

/** The codes of a failed verification of a tlog-proof, with their meanings. */
export const TLOG_PROOF_FAULTS = {
  malformed: 'This is not a C2SP tlog-proof, or the digest is not `sha256:` and 64 hex digits.',
  malformedCheckpoint: RECEIPT_FAULTS.malformedCheckpoint,
  otherOrigin: RECEIPT_FAULTS.otherOrigin,
  untrustedKey: RECEIPT_FAULTS.untrustedKey,
  badSignature: RECEIPT_FAULTS.badSignature,
  leafOutsideTree: RECEIPT_FAULTS.leafOutsideTree,
  notIncluded: RECEIPT_FAULTS.notIncluded,
} as const;

/** A code of a failed verification. */
export type TlogProofFault = keyof typeof TLOG_PROOF_FAULTS;

/**
 * The result of a verification. `size`: number of leaves of the tree in the checkpoint. `checkpoint`: the signed note,
 * for `verifyWitnesses` or `verifyPolicy`.
 */
export type TlogProofReport =
  | { verified: true; digest: string; origin: string; leafIndex: number; size: number; checkpoint: string }
  | { verified: false; code: TlogProofFault };

/** Maximum length of a path in a tree whose size is a safe integer. */
const MAX_PATH = 53;

/**
 * Whether a trusted log contains the record with this digest (`sha256:<64 hex digits>`), by a C2SP tlog-proof. The
 * proof does not contain the record: compute the digest from a record that you have. Cosignatures of witnesses are
 * ignored: check them with the `checkpoint` of the report. Does not throw, whatever the text contains, and makes no
 * requests.
 *
 * @example
 * const trusted = { publicKey: new Uint8Array(32) };
 * verifyTlogProof('words', { digest: `sha256:${'00'.repeat(32)}`, trusted, verify: () => true }); // => { verified: false, code: 'malformed' }
 */
export function verifyTlogProof(
  text: string,
  { digest, trusted, verify }: { digest: string; trusted: TrustedLog; verify: VerifySignature },
): TlogProofReport {
  const proof = /^sha256:[0-9a-f]{64}$/.test(digest) ? parseTlogProof(text) : undefined;
  if (proof === undefined) return refused('malformed');
  const checkpoint = parseCheckpoint(proof.checkpoint);
  if (checkpoint === undefined) return refused('malformedCheckpoint');
  const { origin, size } = checkpoint;
  const fault = findSignerFault(checkpoint, { named: origin, trusted, verify });
  if (fault !== undefined) return refused(fault);
  const { leafIndex, path } = proof;
  if (leafIndex >= size) return refused('leafOutsideTree');
  if (!verifyInclusion({ leafIndex, leafHash: leafHash(digest), path }, checkpoint))
    return refused('notIncluded');
  return { verified: true, digest, origin, leafIndex, size, checkpoint: proof.checkpoint };
}

/** Returns undefined for malformed text. Ignores the optional line `extra`. */
function parseTlogProof(
  text: string,
): (Pick<Inclusion, 'leafIndex' | 'path'> & { checkpoint: string }) | undefined {
  const end = text.indexOf('\n\n');
  const [header, ...rest] = text.slice(0, Math.max(0, end)).split('\n');
  const [extra] = /^extra (.*)$/.exec(rest[0] ?? '')?.slice(1) ?? [];
  const [index = '', ...lines] = extra === undefined ? rest : rest.slice(1);
  const [, digits] = /^index (0|[1-9]\d*)$/.exec(index) ?? [];
  const leafIndex = Number(digits);
  const path = lines.map(fromBase64).filter(isHash);
  const isWhole = path.length === lines.length && path.length <= MAX_PATH && Number.isSafeInteger(leafIndex);
  if (header !== TLOG_PROOF_HEADER || !isWhole || (extra !== undefined && fromBase64(extra) === undefined))
    return undefined;
  return { leafIndex, path, checkpoint: text.slice(end + 2) };
}

function refused(code: TlogProofFault): TlogProofReport {
  return { verified: false, code };
}
