import { describe, expect, it } from 'vitest';
import { describeWords } from '../../src/search/text/describe-text.js';
import { overlap } from '../../src/search/text/min-hash.js';
import { MAX_DRAWING_BYTES, readDrawing } from '../../src/search/text/read-drawing.js';

const PLAIN = `<svg width="90" height="60"><path d="M1 2L3.5 4c-1,.5 2,3 4,5z" fill="#f00"/><text x="5">Caf\u00e9 at dusk</text></svg>`;
const EDITED = `<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<!-- Made by an editor: <rect x="1"/> -->
<svg:svg xmlns:svg="http://www.w3.org/2000/svg" xmlns:editor="urn:editor" height='60' width='90' id="top" editor:zoom="2">
  <metadata><title>A title</title> <rect x="7"/> </metadata>
  <title>A title</title><style>rect { fill: red }</style>
  <editor:guide x="4"/>
  <path class="a" fill = "#f00" d="M 1,2 L 3.5004,4 c -1 0.5 2 3 4 5 z" id="path7"></path>
  <text id="t" x="5.000">
    Caf\u00e9 at dusk
  </text>
</svg:svg>
`;

const read = (text: string) => {
  const { units } = readDrawing(Buffer.from(text));
  return Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le');
};

function draw(number: number): Buffer {
  let state = number + 1;
  const next = (bound: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % bound;
  };
  const circles = Array.from(
    { length: 100 },
    () => `<circle cx="${next(640)}" cy="${next(480)}" r="14" fill="hsl(${next(360)} 60% 50%)"/>`,
  );
  return Buffer.from(`<svg width="640" height="480">${circles.join('')}</svg>`);
}

describe('the words of a drawing', () => {
  it('are its elements, each attribute with up to two numbers in a word, and its text', () => {
    expect(read(PLAIN)).toBe(
      'svg heightx60 widthx90 path dmx1x2 dlx3p5x4 dcxm1x0p5 dx2x3 dx4x5 dz fillfx0 text xx5 caf\u00e9 at dusk',
    );
  });

  it('do not depend on metadata, comments, styles, ids, editors, white space, attribute order and rounding', () => {
    expect(read(EDITED)).toBe(read(PLAIN));
  });

  it.each([
    ['a moved point', 'M1 2', 'M1 3'],
    ['another colour', '#f00', '#0f0'],
    ['another text', 'dusk', 'dawn'],
    ['another element', '<path', '<glyph'],
  ])('differ for %s', (_, before, after) => {
    expect(read(PLAIN.replace(before, after))).not.toBe(read(PLAIN));
  });

  it('of any two of 60 drawings have less than a fifth in common', () => {
    const prints = Array.from(
      { length: 60 },
      (_, number) => describeWords(readDrawing(draw(number))).evidence,
    );
    const shares = prints.flatMap((one, at) => prints.slice(at + 1).map((other) => overlap(one, other)));
    expect(Math.max(...shares)).toBeLessThan(0.2);
  });

  it('have at most as many characters as the read part of the file has bytes', () => {
    const half = MAX_DRAWING_BYTES / 2;
    for (const name of ['n'.repeat(half - 99), 'name']) {
      const { units, ends } = readDrawing(Buffer.from(`<a ${name}="${'1 '.repeat(half / 2)}"/>`));
      expect(ends.length).toBeGreaterThan(10_000);
      expect(units.length).toBeLessThanOrEqual(MAX_DRAWING_BYTES);
    }
  });

  it.each(['<', '<!--', '<a b=', '<a b="', '<metadata>', '<![CDATA[', '<a a', 'a'.repeat(99)])(
    'are read once from a file that repeats %s',
    (part) => {
      const file = part.repeat(MAX_DRAWING_BYTES / part.length);
      expect(readDrawing(Buffer.from(file)).ends.length).toBeLessThanOrEqual(MAX_DRAWING_BYTES);
    },
  );
});
