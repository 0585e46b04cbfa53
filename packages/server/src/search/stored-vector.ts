/** Words of 4 bytes before the elements of a binary array: dimensions, nulls, type, length, lower bound. */
const HEAD_WORDS = 5;

/** Parses a `real[]` without nulls from base64 of PostgreSQL's binary form (`array_send`), big-endian. */
export function parseStoredVector(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64').swap32();
  const words = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  // Before each number stands its length.
  const vector = new Float32Array(Math.max(0, (words.length - HEAD_WORDS) / 2));
  for (let index = 0; index < vector.length; index++) vector[index] = words[HEAD_WORDS + 2 * index + 1] ?? 0;
  return vector;
}
