import type { Descriptor, Method } from './descriptor.js';
import { signsOf } from './vector.js';

/** A descriptor as text for the database, made in a worker thread. */
export interface DescriptorText {
  method: Method;
  embedding: string;
  signs: string;
  /** Base64. */
  evidence: string;
}

/** Six decimals are stored. Each number is written as a whole number with the exponent `e-6`, which is faster. */
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
