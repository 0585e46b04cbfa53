import {
  parseTrustedLog,
  type Receipt,
  type ReceiptReport,
  type RecordKind,
  type TrustedLog,
  verifyEd25519,
  verifyReceipt,
} from '@colophon/model';
import { path } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** Records with the proof that the project's log holds them. */
export interface Receipts {
  /**
   * The receipt of an action, an entity or an attribution. It is there as soon as the record is. Throws `ApiError`
   * `NotFound`.
   *
   * @example
   * const { actionId } = await colophon.actions.record({ performedBy: 'studio:ann' });
   * const receipt = await colophon.receipts.get('action', actionId);
   * receipt.record.kind; // => 'action'
   * const { attributions } = await colophon.attributions.list({ actionId });
   * (await colophon.receipts.get('attribution', attributions[0].id)).record.kind; // => 'attribution'
   * (await colophon.receipts.get('entity', 'studio:ann')).record.body.id; // => 'studio:ann'
   */
  get(kind: RecordKind, id: string, options?: CallOptions): Promise<Receipt>;
  /**
   * Whether a receipt holds, from the receipt and the log's key alone; nobody is asked. `trustedLog`: the verifier key
   * of `log.get()`, or a public key as 64 hex digits, taken once over a way that is trusted; that of the client unless
   * given. See `verifyReceipt` of the model for what is checked and the codes of refusals.
   *
   * Throws TypeError without a key, or for one that cannot be read.
   *
   * @example
   * const { actionId } = await colophon.actions.record({ performedBy: 'studio:ann' });
   * const receipt = await colophon.receipts.get('action', actionId);
   * const { verifierKey } = await colophon.log.get();
   * colophon.receipts.verify(receipt, verifierKey).verified; // => true
   */
  verify(receipt: unknown, trustedLog?: string): ReceiptReport;
}

export function createReceipts({ ask }: Transport, ownTrustedLog: string | undefined): Receipts {
  return {
    get: (kind, id, options) => ask({ method: 'GET', path: path`/v1/${kind}/${id}/receipt` }, options),
    verify: (receipt, trustedLog = ownTrustedLog) =>
      verifyReceipt(receipt, requireTrustedLog(trustedLog), verifyEd25519),
  };
}

/** The log that a text names. Throws TypeError when there is none. */
export function requireTrustedLog(text: string | undefined): TrustedLog {
  const trusted = text === undefined ? undefined : parseTrustedLog(text);
  if (trusted !== undefined) return trusted;
  throw new TypeError(
    'Give the key of the log that you trust: the verifierKey of log.get(), or 64 hex digits.',
  );
}
