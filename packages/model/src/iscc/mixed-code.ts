import { IsccError, type IsccUnit, MAIN_TYPES, MEDIA } from './header.js';
import { simhash } from './simhash.js';

/**
 * Returns the Content-Code of content with several media. `units` are two or more Content-Codes of at least `bits`
 * bits. Throws IsccError for other units.
 */
export function mixedUnit(units: readonly IsccUnit[], bits = 64): IsccUnit {
  const sizeBytes = bits / 8;
  if (units.length < 2) throw new IsccError('A mixed Content-Code needs at least two Content-Codes');
  for (const { mainType, digest } of units) {
    if (mainType !== 'content' || digest.length < sizeBytes) {
      throw new IsccError(`A mixed Content-Code needs Content-Codes of at least ${bits} bits`);
    }
  }
  const digest = simhash(units.map((unit) => withKind(unit, sizeBytes)));
  return { mainType: 'content', medium: 'mixed', digest };
}

/** The first header byte (main type and medium), and then the digest. */
function withKind({ medium = 'text', digest }: IsccUnit, sizeBytes: number): Uint8Array {
  const kind = (MAIN_TYPES.indexOf('content') << 4) | MEDIA.indexOf(medium);
  return Uint8Array.of(kind, ...digest.subarray(0, sizeBytes - 1));
}
