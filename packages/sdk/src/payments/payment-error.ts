/** The reasons why a payment cannot be built or recorded, by code. */
export const PAYMENT_ERROR_CODES = {
  InvalidAddress: 'A wallet is not an address, is the zero address, or has a wrong checksum (EIP-55).',
  MissingWallet: 'An entity with an amount has no wallet.',
  InvalidAmount: 'An amount is larger than the limit of the contract.',
  TooFewRecipients: 'A split has fewer than two wallets.',
  InvalidRecord:
    'The payment cannot be recorded: its shares do not sum to 10,000 basis points, or a member is malformed.',
} as const;

/** A code of `PaymentError`. */
export type PaymentErrorCode = keyof typeof PAYMENT_ERROR_CODES;

/** Error when a payment cannot be built or recorded. Nothing was created. `entityIds` are the affected entities. */
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
