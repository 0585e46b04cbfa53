import type { Descriptor, Method } from './descriptor.js';
import { signsOf } from './vector.js';

/** A descriptor as the database takes it, which asks nothing more of the thread that writes it. */
export interface DescriptorText {
  method: Method;
  /** The numbers as PostgreSQL writes an array. */
  embedding: string;
  signs: string;
  /** Base64. */
  evidence: string;
}

/** Numbers are kept with six digits after the point; whole numbers are the quickest to write. */
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
