import fc from 'fast-check';
import { DistributionError, type LineageBundle } from '../../src/index.js';

export function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof DistributionError) return error.code;
    throw error;
  }
  return 'none';
}

/** An action of a bundle: `made('crop', ['photo'])` made `crop` from `photo`. */
export function made(output: string | string[], inputs: string[] = []) {
  const outputCids = [output].flat();
  return { id: `make ${outputCids[0]}`, inputCids: inputs, outputCids };
}

/** A creator of a content, with a weight or none. */
export function creator(entityId: string, resourceCid: string, weight?: string | number) {
  return { entityId, resourceCid, role: 'creator', weight };
}

export function bundleOf(cid: string, records: Partial<LineageBundle>): LineageBundle {
  return { cid, actions: [], attributions: [], entities: [], complete: true, ...records };
}

/** Entities of a distribution with their shares, such as `ann 50`, in the order of the result. */
export function sharesOf({ shares }: { shares: { entityId: string; share: number }[] }): string[] {
  return shares.map(({ entityId, share }) => `${entityId} ${share}`);
}

/** Weights in every accepted form. */
export const anyWeight: fc.Arbitrary<number | bigint | string> = fc.oneof(
  fc.nat(),
  fc.bigInt({ min: 0n, max: 2n ** 200n }),
  fc.double({ min: 0, max: 1e6, noNaN: true }),
  fc.tuple(fc.nat(), fc.integer({ min: 1, max: 1_000 })).map(([a, b]) => `${a}/${b}`),
  fc.tuple(fc.nat(), fc.nat({ max: 999 })).map(([a, b]) => `${a}.${b}`),
);

/** b and c were made from a, d from b and c, and e from d. The id of each creator is the content in upper case. */
export const diamond = bundleOf('e', {
  actions: [made('a'), made('b', ['a']), made('c', ['a']), made('d', ['b', 'c']), made('e', ['d'])],
  attributions: [...'abcde'].map((cid) => creator(cid.toUpperCase(), cid)),
});
