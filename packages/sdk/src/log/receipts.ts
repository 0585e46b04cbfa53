import {
  parseTrustedLog,
  type Receipt,
  type ReceiptReport,
  type RecordKind,
  type Timestamp,
  type TrustedLog,
  verifyEd25519,
  verifyReceipt,
} from '@colophon/model';
import { path } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** Records with the proof that the project's log contains them. */
export interface Receipts {
  /**
   * Returns the receipt of an action, an entity or an attribution. The receipt exists as soon as the record exists.
   * Throws `ApiError` `NotFound`.
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
   * Returns the RFC 3161 time-stamp of a record: the proof that the log contained the record at the time in the token.
   * If the operator has set `TSA_URL`, the service creates time-stamps at regular intervals. `verifyTimestamp`
   * (`@colophon/model`) verifies a time-stamp. Throws `ApiError` `NotFound` while no time-stamp covers the record.
   *
   * @example
   * const { actionId } = await colophon.actions.record({ performedBy: 'studio:ann' });
   * const { attributions } = await colophon.attributions.list({ actionId });
   * const toCode = ({ code }) => code;
   * await colophon.receipts.timestamp('action', actionId).catch(toCode); // => 'NotFound'
   * await colophon.receipts.timestamp('attribution', attributions[0].id).catch(toCode); // => 'NotFound'
   * await colophon.receipts.timestamp('entity', 'studio:ann').catch(toCode); // => 'NotFound'
   */
  timestamp(kind: RecordKind, id: string, options?: CallOptions): Promise<Timestamp>;
  /**
   * Verifies a receipt with the log's key, without requests. `trustedLog` is the verifier key of `log.get()`, or a
   * public key as 64 hex digits; read the key once over a trusted channel. The default is `trustedLog` of the client.
   * `verifyReceipt` (`@colophon/model`) documents the checks and the codes of failures.
   *
   * Throws TypeError for a missing or invalid key.
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
    timestamp: (kind, id, options) =>
      ask({ method: 'GET', path: path`/v1/${kind}/${id}/timestamp` }, options),
    verify: (receipt, trustedLog = ownTrustedLog) =>
      verifyReceipt(receipt, requireTrustedLog(trustedLog), verifyEd25519),
  };
}

/** Throws TypeError for a missing or invalid key. */
export function requireTrustedLog(text: string | undefined): TrustedLog {
  const trusted = text === undefined ? undefined : parseTrustedLog(text);
  if (trusted !== undefined) return trusted;
  throw new TypeError('Pass the key of the log: the verifierKey of log.get(), or 64 hex digits.');
}
