import { fromBase64 } from '../base64.js';
import { canonicalJsonBytes } from '../canonical-json.js';
import { committedBody } from '../record-digest.js';
import { parseCheckpoint } from './checkpoint.js';
import { type ByteSigner, COSE, encodeCbor, signCose } from './cose.js';
import type { Receipt } from './receipt.js';

/** The media type of the result of `toTlogProof`. */
export const TLOG_PROOF_TYPE = 'text/x.tlog.proof';
/** The first line of a tlog-proof. */
export const TLOG_PROOF_HEADER = 'c2sp.org/tlog-proof@v1';
/** The media type of the result of `toTransparentStatement` (RFC 9052 §9). */
export const COSE_TYPE = 'application/cose';
/** The content type of the payload of a statement: the canonical JSON of a record with its commitments. */
export const COMMITTED_RECORD_TYPE = 'application/vnd.colophon.record+json';

/** RFC 9942. */
export const RFC9162_SHA256 = 1;
/** Label of the inclusion proofs. */
export const INCLUSION_PROOFS = -1;
/** CWT (RFC 8392 §3.1). */
export const CLAIM = { iss: 1, sub: 2 } as const;

/**
 * Returns the proof of a receipt as a C2SP tlog-proof, version 1: index, inclusion proof and checkpoint. The tlog-proof
 * does not contain the record. The proven entry of the log is the 32 bytes of the record's digest.
 *
 * @example
 * const log = { leafIndex: 0, inclusionPath: [], checkpoint: 'example.org\n1\n...\n' };
 * toTlogProof({ log }); // => 'c2sp.org/tlog-proof@v1\nindex 0\n\nexample.org\n1\n...\n'
 */
export function toTlogProof({
  log,
}: {
  log: Pick<Receipt['log'], 'leafIndex' | 'inclusionPath' | 'checkpoint'>;
}): string {
  const lines = [TLOG_PROOF_HEADER, `index ${log.leafIndex}`, ...log.inclusionPath];
  return `${lines.join('\n')}\n\n${log.checkpoint}`;
}

/**
 * Returns a receipt as a transparent statement of SCITT: a COSE_Sign1 message over the committed record, with a COSE
 * Receipt (RFC 9942, RFC9162_SHA256) in its header `receipts`. The SHA-256 of the payload is the entry of the log. So
 * the statement is about the same leaf and tree as the receipt. The same key signs the statement and the root of the
 * tree.
 *
 * Verify the receipt first. Throws RangeError for a malformed checkpoint, and for a personal field without a salt or a
 * commitment. `payload`: the canonical JSON of the committed record in UTF-8, if the caller has it already.
 */
export function toTransparentStatement(
  { record, log }: Receipt,
  signer: ByteSigner,
  payload: Uint8Array = canonicalJsonBytes(committedBody(record.kind, record.body, record.salts)),
): Uint8Array {
  return signCose(
    {
      protectedHeader: new Map<number, string | Map<number, string>>([
        [COSE.contentType, COMMITTED_RECORD_TYPE],
        [
          COSE.cwtClaims,
          new Map([
            [CLAIM.iss, log.origin],
            [CLAIM.sub, `${record.kind}/${String(record.body.id)}`],
          ]),
        ],
      ]),
      unprotectedHeader: new Map([[COSE.receipts, [toCoseReceipt(log, signer)]]]),
      payload,
      isDetached: false,
    },
    signer,
  );
}

/** RFC 9942. The detached payload is the root of the tree. */
function toCoseReceipt({ origin, leafIndex, inclusionPath, checkpoint }: Receipt['log'], signer: ByteSigner) {
  const tree = parseCheckpoint(checkpoint);
  if (tree === undefined) throw new RangeError('The checkpoint of the receipt is malformed');
  const path = inclusionPath.map((hash) => fromBase64(hash) ?? new Uint8Array());
  const proof = encodeCbor([tree.size, leafIndex, path]);
  return signCose(
    {
      protectedHeader: new Map<number, number | Map<number, string>>([
        [COSE.cwtClaims, new Map([[CLAIM.iss, origin]])],
        [COSE.vds, RFC9162_SHA256],
      ]),
      unprotectedHeader: new Map([[COSE.vdp, new Map([[INCLUSION_PROOFS, [proof]]])]]),
      payload: tree.root,
      isDetached: true,
    },
    signer,
  );
}
