import fc from 'fast-check';
import { DistributionError } from '../../src/index.js';

/** The code of the error that `run` throws. */
export function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof DistributionError) return error.code;
    throw error;
  }
  return 'none';
}

/** Entities of a distribution with their shares, `ann 50`, the largest first. */
export function sharesOf({ shares }: { shares: { entityId: string; share: number }[] }): string[] {
  return shares.map(({ entityId, share }) => `${entityId} ${share}`);
}

/** Weights of every form that is read. */
export const anyWeight: fc.Arbitrary<number | bigint | string> = fc.oneof(
  fc.nat(),
  fc.bigInt({ min: 0n, max: 2n ** 200n }),
  fc.double({ min: 0, max: 1e6, noNaN: true }),
  fc.tuple(fc.nat(), fc.integer({ min: 1, max: 1_000 })).map(([a, b]) => `${a}/${b}`),
  fc.tuple(fc.nat(), fc.nat({ max: 999 })).map(([a, b]) => `${a}.${b}`),
);
