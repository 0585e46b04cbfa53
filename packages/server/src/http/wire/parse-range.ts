import type { ByteRange } from '../../blobs/blob-store.js';
import { ServiceError } from '../../errors.js';

/**
 * Parses `Range` (RFC 9110 §14.1.2). Undefined when the service ignores it and sends the complete content. Throws
 * `RangeNotSatisfiable` for a range outside the content.
 */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '');
  if (match === null || header?.endsWith('=-')) return undefined;
  const [, first = '', last = ''] = match;
  const range =
    first === ''
      ? { start: Math.max(sizeBytes - Number(last), 0), end: sizeBytes - 1 }
      : { start: Number(first), end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
  if (last !== '' && first !== '' && Number(last) < Number(first)) return undefined;
  if (range.start > range.end) {
    throw new ServiceError(
      'RangeNotSatisfiable',
      `The range starts after the end of the content, which has ${sizeBytes} bytes.`,
      {
        headers: { 'content-range': `bytes */${sizeBytes}` },
      },
    );
  }
  return range;
}
