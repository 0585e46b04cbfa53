import type { Descriptor, Method } from './descriptor.js';
import { signsOf } from './vector.js';

/** A descriptor as database text, so that the writing thread has nothing left to convert. */
export interface DescriptorText {
  method: Method;
  /** The numbers as a PostgreSQL array. */
  embedding: string;
  signs: string;
  /** Base64. */
  evidence: string;
}

/** Numbers have six digits after the point. They are written as whole numbers, which is fastest. */
const SCALE = 1e6;
const UNIT = 'e-6';

export function toDescriptorText({ method, vector, evidence }: Descriptor): DescriptorText {
  const numbers = Array.from(vector, (value) => Math.round(value * SCALE));
  return {
    method,
    embedding: numbers.length === 0 ? '{}' : `{${numbers.join(`${UNIT},`)}${UNIT}}`,
    signs: signsOf(vector),
    evidence: Buffer.from(evidence).toString('base64'),
  };
}
