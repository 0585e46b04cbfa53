import * as z from 'zod';
import { toBase64 } from '../base64.js';
import { lenientLabel, lenientList, readUpTo } from './lenient-fields.js';

const MAX_SOFT_BINDINGS = 100;
const MAX_VALUE_LENGTH = 65_536;

/** A value in a manifest that identifies the content even if the file has lost this manifest (C2PA 2.3 §18.10). */
export interface StoredSoftBinding {
  /** Name of the algorithm, such as `com.digimarc.validate.1`. */
  readonly alg: string;
  /** The value as text. A value of bytes is encoded as base64. */
  readonly value: string;
}

export const SOFT_BINDING_ASSERTION = /^c2pa\.soft-binding(?:__\d+)?$/;

const rawSoftBinding = z.object({ alg: lenientLabel, blocks: lenientList });
const rawBlock = z.object({
  value: z.union([
    z.string().min(1).max(MAX_VALUE_LENGTH),
    z
      .array(z.int().min(0).max(255))
      .min(1)
      .max((MAX_VALUE_LENGTH / 4) * 3)
      .transform((bytes) => toBase64(Uint8Array.from(bytes))),
  ]),
});

/** Returns one value for each block, at most 100. Leaves out values of the wrong type. */
export function readSoftBindings(assertions: unknown[]): { items: StoredSoftBinding[]; isComplete: boolean } {
  return readUpTo(blocksOf(assertions), MAX_SOFT_BINDINGS, ({ alg, block }) => {
    const value = rawBlock.safeParse(block).data?.value;
    return value === undefined ? undefined : { alg, value };
  });
}

function* blocksOf(assertions: unknown[]): Generator<{ alg: string; block: unknown }> {
  for (const assertion of assertions) {
    const { alg, blocks = [] } = rawSoftBinding.safeParse(assertion).data ?? {};
    if (alg !== undefined) for (const block of blocks) yield { alg, block };
  }
}
