import { canonicalJson, type JsonValue } from '@colophon/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { writeJson } from '../../src/records/read/write-json.js';

const textOf = async (value: object, form: 'plain' | 'canonical') =>
  Buffer.concat(await writeJson(value, { form })).toString();

const anyObject = fc.dictionary(
  fc.string({ unit: 'grapheme' }),
  fc.jsonValue({ maxDepth: 8, stringUnit: 'grapheme' }),
);

it('`writeJson` writes plain JSON like `JSON.stringify`, and canonical JSON like `canonicalJson`', async () => {
  const check = async (value: Record<string, unknown>) => {
    expect(await textOf(value, 'plain')).toBe(JSON.stringify(value));
    expect(await textOf(value, 'canonical')).toBe(canonicalJson(value as JsonValue));
  };
  await fc.assert(fc.asyncProperty(anyObject, check), {
    examples: [
      [{}],
      [{ list: [], object: {}, none: undefined }],
      [{ proof: { records: [{ id: 'a', digest: 'b', path: ['x', { bit: 1, hash: 'y' }] }] } }],
      [{ proof: { mentions: { byName: { b: { path: [{ z: 1, a: '\\' }] }, a: { 10: 1, 9: 2 } } } } }],
      [{ entities: [{ b: { n: -0, é: '\u2028"' }, a: [null, true, 1e21] }] }],
    ],
  });
});

it('`writeJson` rejects a number or text that canonical JSON cannot contain, at any depth', async () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { '\ud800': 1 }]) {
    for (const document of [{ value }, { list: [value] }, { list: [{ a: [value] }] }])
      await expect(textOf(document, 'canonical')).rejects.toThrow('canonical JSON');
  }
});

it('`writeJson` lets other tasks run while it writes, and stops when the signal aborts', async () => {
  const list = Array.from({ length: 5_000 }, (_, place) => ({ place, text: 'x'.repeat(200) }));
  const gone = new AbortController();
  let turns = 0;
  const turn = () => {
    if (++turns === 5) gone.abort(new Error('gone'));
    else setImmediate(turn);
  };
  setImmediate(turn);
  await expect(writeJson({ list }, { form: 'plain', signal: gone.signal })).rejects.toThrow('gone');
  expect(turns).toBe(5);
});
