import { createHash } from 'node:crypto';
import { parseContentId } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { type Described, IMAGE_METHOD } from '../../search/descriptor.js';

/** Algorithm whose value is the SHA-256 of the content, 32 bytes. */
export const SHA256_BINDING = 'colophon.sha256';
/** Algorithm whose value is a picture's 512 numbers (float32, little-endian) and 64 x 64 bytes of brightness. */
export const IMAGE_BINDING = 'colophon.image-512.1';

const VECTOR_BYTES = 512 * 4;
const LUMA_BYTES = 64 * 64;

/** `digest`: hex, of a binding that a manifest contains. */
export type Binding =
  | { kind: 'content'; cid: string }
  | { kind: 'described'; described: Described }
  | { kind: 'asserted'; digest: string };

/** Throws `InvalidField` for an invalid value of one of the two algorithms above. */
export function parseBinding({ alg, value }: { alg: string; value: string }): Binding {
  const bytes = Buffer.from(value, 'base64');
  if (alg === SHA256_BINDING) {
    const cid = bytes.length === 32 ? parseContentId(`sha256:${bytes.toString('hex')}`) : undefined;
    if (cid === undefined) throw invalid('The value of colophon.sha256 must be 32 bytes in base64.');
    return { kind: 'content', cid };
  }
  if (alg !== IMAGE_BINDING) return { kind: 'asserted', digest: digestBinding({ alg, value }) };
  return { kind: 'described', described: readPicture(bytes) };
}

/** Returns hex. The digest is the same for both base64 alphabets, with or without padding. */
export function digestBinding({ alg, value }: { alg: string; value: string }): string {
  // A regular expression would take quadratic time for a long row of `=` inside of the value.
  let end = value.length;
  while (end > 0 && value[end - 1] === '=') end--;
  const plain = value.slice(0, end).replaceAll('-', '+').replaceAll('_', '/');
  return createHash('sha256')
    .update(JSON.stringify([alg, plain]))
    .digest('hex');
}

/** Returns hex. Stored only for watermarks that the service issued, so an imported manifest cannot claim one. */
export function digestIssuedMark({ alg, value }: { alg: string; value: string }): string {
  return createHash('sha256')
    .update(JSON.stringify([alg, value, 'issued']))
    .digest('hex');
}

/** Returns base64. */
export function toImageBinding({ vector, evidence }: Pick<Described, 'vector' | 'evidence'>): string {
  const bytes = Buffer.alloc(VECTOR_BYTES + LUMA_BYTES);
  for (const [index, number] of vector.entries()) bytes.writeFloatLE(number, index * 4);
  bytes.set(evidence, VECTOR_BYTES);
  return bytes.toString('base64');
}

function readPicture(bytes: Buffer): Described {
  if (bytes.length !== VECTOR_BYTES + LUMA_BYTES)
    throw invalid(`The value of ${IMAGE_BINDING} must be ${VECTOR_BYTES + LUMA_BYTES} bytes in base64.`);
  const vector = Float32Array.from({ length: 512 }, (_, index) => bytes.readFloatLE(index * 4));
  const length = Math.hypot(...vector);
  // The negated comparison also rejects NaN and infinity.
  if (!(Math.abs(length - 1) < 0.01))
    throw invalid(`The numbers of ${IMAGE_BINDING} must form a vector of length 1.`);
  return { method: IMAGE_METHOD, vector, evidence: bytes.subarray(VECTOR_BYTES), turned: [vector] };
}

function invalid(message: string): ServiceError {
  return new ServiceError('InvalidField', message, {
    recovery: '`services/supportedAlgorithms` of this API lists the supported algorithms.',
  });
}
