import { type Described, TEXT_METHOD } from '../descriptor.js';
import { describeWords } from './describe-text.js';
import { minHash } from './min-hash.js';
import { readWords } from './words.js';

/** A short text that is looked for by its words; undefined when it has none. */
export function describeQuery(text: string): Described | undefined {
  const words = readWords(Buffer.from(text));
  if (words.ends.length === 0) return undefined;
  const vector = describeWords(words);
  return { method: TEXT_METHOD, vector, evidence: minHash(words), turned: [vector] };
}
