/** Why nothing was shared out, by code. */
export const DISTRIBUTION_ERROR_CODES = {
  InvalidWeight: 'A weight is no number of at least 0, decimal or fraction.',
  InvalidTotal: 'The total is no whole number from 1 to 2^53 - 1.',
  InvalidDecay: 'The decay is no number, decimal or fraction above 0 and up to 1, or the policy takes none.',
  InvalidDepth: 'The depth is no whole number of at least 1, or the policy takes none.',
  InvalidAmount: 'The amount is negative or not below 2^256.',
  InvalidShare: 'A share is no whole number of at least 0, or an entity has two.',
  ConflictingWallets: 'One entity is named with two wallets.',
  NothingToShare: 'Nobody has a weight or share above 0.',
  CyclicBundle: 'A content of the bundle is its own ancestor.',
  TooLarge: 'The bundle credits more people with more contents than are shared out at once.',
  TooPrecise: 'The exact weights are longer than the numbers that are computed with.',
} as const;

/** One of the codes. */
export type DistributionErrorCode = keyof typeof DISTRIBUTION_ERROR_CODES;

/** Something could not be shared out; `code` says why, `message` says what exactly. */
export class DistributionError extends Error {
  readonly code: DistributionErrorCode;

  constructor(code: DistributionErrorCode, message: string) {
    super(message);
    this.name = 'DistributionError';
    this.code = code;
  }
}
