import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../src/canonical-json.js';
import { createCar } from '../src/car.js';
import { createContentHasher } from '../src/content-hasher.js';
import { contentIdOfSha256, parseContentId } from '../src/content-id.js';
import { toGraph } from '../src/graph.js';
import { committedBody, digestRecord, verifyRecordDigest } from '../src/record-digest.js';

const names = {
  toGraph,
  canonicalJson,
  committedBody,
  createCar,
  contentIdOfSha256,
  createContentHasher,
  digestRecord,
  parseContentId,
  verifyRecordDigest,
};

const sources = new URL('../src/', import.meta.url);
const examples = readdirSync(sources)
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) =>
    examplesOf(readFileSync(new URL(file, sources), 'utf8')).map((code) => ({ file, code })),
  );

describe('the examples in docstrings', () => {
  it('are found', () => {
    expect(examples.length).toBeGreaterThanOrEqual(6);
  });

  it.each(examples)('say what happens: $file: $code', async ({ code }) => {
    const promises = [...code.matchAll(/^(.+); \/\/ => (.+)$/gm)];
    expect(promises.length).toBeGreaterThan(0);
    const run = new Function(...Object.keys(names), 'check', `return (async () => {${checked(code)}})();`);
    await run(...Object.values(names), (actual: unknown, expected: unknown) =>
      expect(actual).toEqual(expected),
    );
  });
});

/** The code of each example; it ends where the comment or the next tag begins. */
function examplesOf(source: string): string[] {
  return [...source.matchAll(/@example\n((?: \* [^@].*\n)+)/g)].map(([, block = '']) =>
    block.replaceAll(/^ \* /gm, ''),
  );
}

/** `expression; // => value` becomes a check. */
function checked(code: string): string {
  return code.replaceAll(/^(.+); \/\/ => (.+)$/gm, 'check($1, $2);');
}
