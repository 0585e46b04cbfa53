import { IsccError, type IsccUnit, splitHeader, toHeaderAndBody, toIsccBytes } from './header.js';
import { partOf } from './iscc-code.js';

/** Name of ISCC in the list of C2PA soft binding algorithms. The value of such a soft binding is an ISCC-SEQ. */
export const ISCC_BINDING = 'io.iscc.v0';

/**
 * Returns an ISCC-SEQ (IEP-0020): header and body of each unit, one after the other, with all bits of its digest. An
 * ISCC-CODE from `composeIscc` has only 64 bits of each digest. Throws IsccError for a digest whose length is not valid
 * for a unit.
 *
 * @example
 * encodeIsccSequence([{ mainType: 'data', digest: new Uint8Array(4) }]); // => new Uint8Array([0x30, 0, 0, 0, 0, 0])
 */
export function encodeIsccSequence(units: readonly IsccUnit[]): Uint8Array {
  const encoded = units.map((unit) => {
    const { header, body } = toHeaderAndBody(unit, unit.digest.length * 8);
    return toIsccBytes(header, body);
  });
  const bytes = new Uint8Array(encoded.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const unit of encoded) {
    bytes.set(unit, at);
    at += unit.length;
  }
  return bytes;
}

/**
 * Returns the units of an ISCC-SEQ. Throws IsccError for an empty, truncated or malformed sequence, and for an
 * ISCC-CODE in it.
 *
 * @example
 * decodeIsccSequence(new Uint8Array([0x30, 0, 0, 0, 0, 0])); // => [{ mainType: 'data', digest: new Uint8Array(4) }]
 */
export function decodeIsccSequence(bytes: Uint8Array): IsccUnit[] {
  if (bytes.length === 0) throw new IsccError('The ISCC-SEQ is empty. It needs at least one unit');
  const units: IsccUnit[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const { header, body } = splitHeader(rest, `unit ${units.length + 1} of the ISCC-SEQ`);
    const { sizeBytes, ...unit } = partOf(header);
    if (body.length < sizeBytes) {
      throw new IsccError(
        `Unit ${units.length + 1} of the ISCC-SEQ is cut off: ${body.length} bytes of ${sizeBytes}`,
      );
    }
    units.push({ ...unit, digest: body.slice(0, sizeBytes) });
    rest = body.subarray(sizeBytes);
  }
  return units;
}
