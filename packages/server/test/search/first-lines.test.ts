import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFirstLines } from '../../src/search/text/first-lines.js';

const ENCODINGS = ['utf8', 'utf16le'] as const;

describe('the first lines of a text', () => {
  it('are at most 1 KiB of its beginning, even if the bytes end within a character', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 600 }).filter((text) => !text.includes('\ufffd'));
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom(...ENCODINGS),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (text, encoding, part) => {
          const bytes = Buffer.from(`\ufeff${text}`, encoding);
          const lines = readFirstLines(bytes.subarray(0, Math.max(3, Math.floor(part * bytes.length))));
          const clean = text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\t\n]/gu, '');
          expect(clean.startsWith(lines)).toBe(true);
          expect(Buffer.byteLength(lines)).toBeLessThanOrEqual(1024);
          expect(lines).not.toContain('\ufffd');
        },
      ),
      { numRuns: 40 },
    );
  });

  it('have at most 16 lines', () => {
    expect(readFirstLines(Buffer.from('a\r\nb\rc\n'.repeat(20))).split('\n')).toEqual([
      ...'abcabcabcabcabca',
    ]);
  });

  it('have no control characters, and U+FFFD in place of invalid bytes', () => {
    expect(readFirstLines(Buffer.from('a\0b\x1b[31mc\td\xff', 'latin1'))).toBe('ab[31mc\td\ufffd');
  });
});
