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

/** Numbers are kept with six digits after the point. */
const SCALE = 1e6;

export function toDescriptorText({ method, vector, evidence }: Descriptor): DescriptorText {
  const numbers = Array.from(vector, (value) => Math.round(value * SCALE) / SCALE);
  return {
    method,
    embedding: `{${numbers.join(',')}}`,
    signs: signsOf(vector),
    evidence: Buffer.from(evidence).toString('base64'),
  };
}
