/** Why there is no payment, by code. */
export const PAYMENT_ERROR_CODES = {
  InvalidAddress: 'A wallet is no address, is the zero address, or has a wrong checksum (EIP-55).',
  MissingWallet: 'Somebody who would get something has no wallet.',
  InvalidAmount: 'An amount is larger than the contract takes.',
  TooFewRecipients: 'A split has fewer than two wallets.',
  InvalidRecord:
    'The payment cannot be recorded: its shares do not sum to 10,000 basis points, or a member is malformed.',
} as const;

/** One of the codes. */
export type PaymentErrorCode = keyof typeof PAYMENT_ERROR_CODES;

/** A payment that cannot be built or recorded; nothing was made of it. `entityIds`: of whom. */
export class PaymentError extends Error {
  readonly code: PaymentErrorCode;
  readonly entityIds: readonly string[];

  constructor(code: PaymentErrorCode, message: string, entityIds: readonly string[] = []) {
    super(message);
    this.name = 'PaymentError';
    this.code = code;
    this.entityIds = entityIds;
  }
}
