import { decodeIscc, decodeIsccSequence, IsccError, type IsccMedium, type IsccUnit } from '@colophon/model';
import { ServiceError } from '../../errors.js';

const STORED_MEDIA: readonly IsccMedium[] = ['text', 'image', 'audio', 'video'];
/** Minimum length of a unit, in bytes. Shorter units are near to much unrelated content. */
const MIN_BYTES = 8;

/** `content`, `instance` or both are present. */
export interface IsccQuery {
  content?: { medium: IsccMedium; digest: Uint8Array };
  data?: Uint8Array;
  instance?: Uint8Array;
}

/** Parses an ISCC-CODE or a single unit. Throws `InvalidField` also for an ISCC that cannot be searched. */
export function parseIscc(code: string): IsccQuery {
  return toQuery(() => decodeIscc(code), 'code');
}

/** Parses the soft binding `io.iscc.v0`: an ISCC-SEQ (IEP-0020) in base64, or the text of an ISCC. */
export function parseIsccBinding(value: string): IsccQuery {
  const isText = /^\s*ISCC:/i.test(value);
  return toQuery(
    () => (isText ? decodeIscc(value) : decodeIsccSequence(Buffer.from(value, 'base64'))),
    'value',
  );
}

export function isIsccBinding(value: string): boolean {
  try {
    parseIsccBinding(value);
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

function toQuery(decode: () => IsccUnit[], path: string): IsccQuery {
  const units = decodeOrThrow(decode, path);
  const query: IsccQuery = {};
  for (const { mainType, medium, digest } of units) {
    if (digest.length < MIN_BYTES) continue;
    if (mainType === 'content' && medium !== undefined && STORED_MEDIA.includes(medium))
      query.content ??= { medium, digest };
    if (mainType === 'data' || mainType === 'instance') query[mainType] ??= digest;
  }
  if (query.content === undefined && query.instance === undefined)
    throw invalid(
      path,
      `It has no Instance-Code and no Content-Code (${STORED_MEDIA.join(', ')}) of at least 64 bits`,
    );
  return query;
}

function decodeOrThrow(decode: () => IsccUnit[], path: string): IsccUnit[] {
  try {
    return decode();
  } catch (error) {
    if (error instanceof IsccError) throw invalid(path, error.message);
    throw error;
  }
}

function invalid(path: string, fault: string): ServiceError {
  return new ServiceError('InvalidField', `The ISCC cannot be searched. ${fault}.`, {
    recovery:
      'Send an ISCC of version 0 exactly as it was generated: an ISCC-CODE, a Content-Code of a text, picture, sound or video, or an Instance-Code. `colophon iscc <file>` prints such codes.',
    details: [{ path, message: fault }],
  });
}
