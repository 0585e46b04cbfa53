import type { Descriptor, Method } from './descriptor.js';
import { signsOf } from './vector.js';

/** A descriptor as text for the database. A worker thread makes the text, so the main thread converts nothing. */
export interface DescriptorText {
  method: Method;
  /** The numbers as a PostgreSQL array. */
  embedding: string;
  signs: string;
  /** Base64. */
  evidence: string;
}

/**
 * Numbers are stored with six decimals. Each is written as a whole number with the exponent `e-6`, because whole
 * numbers are the fastest to write.
 */
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
