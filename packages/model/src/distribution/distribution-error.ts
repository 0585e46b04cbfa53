/** The codes for input that cannot be distributed, with their meanings. */
export const DISTRIBUTION_ERROR_CODES = {
  InvalidWeight: 'A weight is not a number, decimal or fraction of at least 0.',
  InvalidTotal: 'The total is not a whole number from 1 to 2^53 - 1.',
  InvalidDecay:
    'The decay must be a number, decimal or fraction above 0 and at most 1; a policy without decay accepts no decay.',
  InvalidDepth: 'The depth must be a whole number of at least 1; a policy without depth accepts no depth.',
  InvalidAmount: 'The amount is negative or not below 2^256.',
  InvalidShare: 'A share is not a whole number of at least 0, or an entity has two shares.',
  ConflictingWallets: 'One entity has two different wallets.',
  NothingToShare: 'No entity has a weight or share above 0.',
  CyclicBundle: 'A content of the bundle is its own ancestor.',
  TooLarge: 'The bundle has more credits than one distribution can process.',
  TooPrecise: 'The exact weights have too many digits for the computation.',
} as const;

/** A code of `DistributionError`. */
export type DistributionErrorCode = keyof typeof DISTRIBUTION_ERROR_CODES;

/** Error when nothing can be distributed. `code` and `message` state the reason. */
export class DistributionError extends Error {
  readonly code: DistributionErrorCode;

  constructor(code: DistributionErrorCode, message: string) {
    super(message);
    this.name = 'DistributionError';
    this.code = code;
  }
}
