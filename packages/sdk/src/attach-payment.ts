import { type JsonObject, PAYMENT_EXTENSION, paymentExtensionSchema, type Share } from '@colophon/model';
import { PaymentError } from './payments/payment-error.js';

/** The payment of an action. */
export interface PaymentRecord {
  /** Shares in basis points that sum to 10,000, such as those of `distributions.get`. Shares of 0 are left out. */
  shares: readonly Pick<Share, 'entityId' | 'share'>[];
  /** For example `direct`, `split` or `streaming`. */
  method?: string;
  currency?: string;
  chainId?: number;
  splitAddress?: string;
  /** Sum of all streams, in the smallest unit of the currency per second. */
  totalFlowRate?: bigint;
}

/**
 * Returns the extensions of an action with a new `ext:payment@1.0.0`, which replaces an earlier one. Other extensions
 * stay. The service rejects recipients that do not exist or have no wallet.
 *
 * Throws PaymentError `InvalidRecord` when the shares do not sum to 10,000 basis points, or when a member is malformed.
 *
 * @example
 * const shares = [{ entityId: 'studio:ann', share: 10000 }, { entityId: 'studio:bo', share: 0 }];
 * attachPayment({}, { shares, method: 'streaming', totalFlowRate: 5n }); // => { 'ext:payment@1.0.0': { method: 'streaming', recipients: [{ entityId: 'studio:ann', share: 10000 }], totalFlowRate: '5' } }
 */
export function attachPayment(
  extensions: Readonly<Record<string, JsonObject>>,
  { shares, totalFlowRate, ...terms }: PaymentRecord,
): Record<string, JsonObject> {
  const recipients = shares
    .filter(({ share }) => share > 0)
    .map(({ entityId, share }) => ({ entityId, share }));
  const payment = {
    ...terms,
    recipients,
    ...(totalFlowRate === undefined ? {} : { totalFlowRate: String(totalFlowRate) }),
  };
  const { error } = paymentExtensionSchema.safeParse(payment);
  if (error !== undefined) {
    const faults = error.issues.map(({ path, message }) => [...path, message].join(': '));
    throw new PaymentError('InvalidRecord', `The payment cannot be recorded. ${faults.join('; ')}.`);
  }
  return { ...extensions, [PAYMENT_EXTENSION]: payment };
}
