import { readFileSync } from 'node:fs';
import { parseManifestStore, toValidation } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failures } from '../support/manifests.js';
import { type MediaDesk, openMediaDesk } from '../support/media-desk.js';

const readSample = (name: string) => readFileSync(new URL(`../fixtures/c2pa-text/${name}`, import.meta.url));
const anchorPem = readSample('anchor.pem').toString();
const SAMPLES = ['unstructured.txt', 'comment-first.txt', 'comment-last.txt', 'front-matter.txt'];

let desk: MediaDesk;
beforeAll(async () => {
  desk = await openMediaDesk();
});
afterAll(() => desk.close());

async function judge(bytes: Uint8Array): Promise<[state: string, failures: string[]]> {
  const { store } = await desk.readStore(bytes, 'text/plain', anchorPem);
  return [toValidation(parseManifestStore(store)).state, failures(store)];
}

describe.each(SAMPLES)('the text sample %s of other implementations', (name) => {
  it('is trusted, and its hash matches', async () => {
    expect(await judge(readSample(name))).toEqual(['trusted', []]);
  });

  it('is invalid after a change of one letter', async () => {
    const changed = readSample(name).toString().replace('sea', 'bay');
    expect(await judge(Buffer.from(changed))).toEqual(['invalid', ['assertion.dataHash.mismatch']]);
  });
});
