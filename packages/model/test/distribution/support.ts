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

/** `made('crop', ['photo'])` returns the action that made `crop` from `photo`. */
export function made(output: string | string[], inputs: string[] = []) {
  const outputCids = [output].flat();
  return { id: `make ${outputCids[0]}`, inputCids: inputs, outputCids };
}

export function creator(entityId: string, resourceCid: string, weight?: string | number) {
  return { entityId, resourceCid, role: 'creator', weight };
}

export function bundleOf(cid: string, records: Partial<LineageBundle>): LineageBundle {
  return { cid, actions: [], attributions: [], entities: [], complete: true, ...records };
}

/** Returns each share as a text such as `ann 50`, in the order of the result. */
export function sharesOf({ shares }: { shares: { entityId: string; share: number }[] }): string[] {
  return shares.map(({ entityId, share }) => `${entityId} ${share}`);
}

export const anyWeight: fc.Arbitrary<number | bigint | string> = fc.oneof(
  fc.nat(),
  fc.bigInt({ min: 0n, max: 2n ** 200n }),
  fc.double({ min: 0, max: 1e6, noNaN: true }),
  fc.tuple(fc.nat(), fc.integer({ min: 1, max: 1_000 })).map(([a, b]) => `${a}/${b}`),
  fc.tuple(fc.nat(), fc.nat({ max: 999 })).map(([a, b]) => `${a}.${b}`),
);

/** The id of the creator of a content is the name of the content in upper case. */
export const diamond = bundleOf('e', {
  actions: [made('a'), made('b', ['a']), made('c', ['a']), made('d', ['b', 'c']), made('e', ['d'])],
  attributions: [...'abcde'].map((cid) => creator(cid.toUpperCase(), cid)),
});

/** Each content is made from earlier contents. The names of the contents are random. */
export const anyBundle: fc.Arbitrary<LineageBundle> = fc
  .tuple(
    fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 }),
    fc.array(fc.array(fc.nat({ max: 11 }), { maxLength: 4 }), { minLength: 12, maxLength: 12 }),
    fc.array(
      fc.record({
        entityId: fc.constantFrom('ann', 'bo', 'cy', 'di'),
        at: fc.nat({ max: 11 }),
        byAction: fc.boolean(),
        role: fc.constantFrom('creator', 'contributor', 'source', 'ext:x'),
        weight: fc.option(
          anyWeight.map((weight) => (typeof weight === 'bigint' ? Number(weight % 1000n) : weight)),
          { nil: undefined },
        ),
      }),
      { maxLength: 20 },
    ),
  )
  .map(([cids, inputs, credits]) =>
    bundleOf(cids.at(-1) ?? '', {
      actions: cids.map((cid, at) =>
        made(
          cid,
          [...new Set(inputs[at]?.filter((input) => input < at))].map((input) => cids[input] ?? ''),
        ),
      ),
      attributions: credits.map(({ entityId, at, byAction, role, weight }) => {
        const cid = cids[at % cids.length] ?? '';
        return { entityId, role, weight, ...(byAction ? { actionId: `make ${cid}` } : { resourceCid: cid }) };
      }),
    }),
  );
