import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameTextManifest } from '../../src/index.js';
import { BEGIN, check, END, embed, locate, type Options, utf8 } from './support/text-manifests.js';

describe('any text', () => {
  const texts = fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '\u00e9', 'e\u0301', '\u{1f44d}\ufe0f', '<', '-', '#'),
  });
  const stores = fc.uint8Array({ minLength: 1, maxLength: 300 });
  const options = fc.constantFrom<Options>({}, { comment: '#' }, { comment: '<!--' }, { isHtml: true });

  it('can carry any store, and the reader returns this store with a matching hash', () => {
    fc.assert(
      fc.property(texts, stores, options, (text, store, chosen) => {
        const { signed, binding, frame } = embed(text, store, chosen);
        expect(frame.toCarrier(store).length).toBe(frame.carrierBytesOf(store.length));
        expect(locate(signed, chosen.isHtml)).toMatchObject({ kind: 'store', store });
        expect(check(signed, binding, chosen.isHtml)).toBe('assertion.dataHash.match');
      }),
    );
  });

  it('never matches its hash after a change outside the manifest, and no damage makes the reader throw', () => {
    const places = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        texts,
        stores,
        options,
        places,
        fc.integer({ min: 1, max: 255 }),
        (text, store, chosen, place, flip) => {
          const { signed, binding, frame } = embed(`${text}.`, store, chosen);
          const at = Math.floor(place * signed.length);
          const damaged = Uint8Array.from(signed, (byte, index) => (index === at ? byte ^ flip : byte));
          const code = check(damaged, binding, chosen.isHtml);
          const isCarrier = at >= frame.at && at < frame.at + frame.carrierBytesOf(store.length);
          if (!isCarrier) expect(code).not.toBe('assertion.dataHash.match');
          expect(typeof check(signed.subarray(0, at), binding, chosen.isHtml)).toBe('string');
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ['delimiters', BEGIN],
    ['tags', '<'],
    ['open scripts', '<script '],
    ['open comments', '<!--'],
    ['open quotes', '<a b="'],
    ['markers and selectors', '\ufeff\ufe00'],
    ['selectors', '\ufe00'],
    ['lines of delimiters', `\n# ${BEGIN}`],
    ['fences', '---\n'],
    ['ends', ` ${END}`],
  ])('of %s needs less than 64 times the CPU time for 16 times the size', (_, unit) => {
    const small = measureReading(unit, 250_000);
    expect(measureReading(unit, 4_000_000)).toBeLessThan(64 * Math.max(small, 1));
  });

  it.each([
    ['base64', 'A', 'store'],
    ['base64 with white space', 'A ', 'store'],
    ['other text', '- ', 'damaged'],
  ])('of %s in an element needs no more memory than three times its size', async (_, unit, kind) => {
    const sizeBytes = 24 * 2 ** 20;
    expect(await locateInThread(unit, sizeBytes, 3)).toBe(kind);
  });
});

/** The heap limit of the thread is `times` the size. */
async function locateInThread(unit: string, sizeBytes: number, times: number): Promise<string> {
  const code = `
    const { parentPort } = require('node:worker_threads');
    const content = ${JSON.stringify(unit)}.repeat(${sizeBytes / unit.length});
    const text = Buffer.from('<script type="application/c2pa">' + content + '</script>');
    void import('@colophon/model').then(({ locateTextManifest }) =>
      parentPort.postMessage(locateTextManifest(text, { isHtml: true }).kind));`;
  const resourceLimits = { maxOldGenerationSizeMb: (times * sizeBytes) / 2 ** 20 };
  const thread = new Worker(code, { eval: true, resourceLimits });
  const [kind] = await once(thread, 'message');
  await thread.terminate();
  return kind;
}

/** CPU in milliseconds. */
function measureReading(unit: string, sizeBytes: number): number {
  const text = utf8(unit.repeat(Math.ceil(sizeBytes / utf8(unit).length)));
  const before = process.cpuUsage();
  locate(text, true);
  frameTextManifest(text, { isHtml: true });
  frameTextManifest(text, { isHtml: false });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
