import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/errors.js';
import { MEDIA_FORMATS } from '../../src/media/formats.js';
import { type MediaDesk, openMediaDesk } from '../support/media-desk.js';
import { type MediaFile, makeMediaFiles } from '../support/media-files.js';
import { trustAnchorPem } from '../support/signers.js';

const FILES_PER_FORMAT = process.env.LONG_TESTS === '1' ? 500 : 20;
const TIME_LIMIT_MS = 5000;
let desk: MediaDesk;
let files: Map<string, MediaFile>;

beforeAll(async () => {
  desk = await openMediaDesk({ timeoutMs: TIME_LIMIT_MS });
  files = new Map((await makeMediaFiles()).map((file) => [file.name, file]));
});

afterAll(() => desk.close());

/** Numbers below `bound`, the same in every run (mulberry32). */
function createNumbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/** The file with some bytes changed, a part cut out or a part repeated. */
function mutate(bytes: Buffer, next: (bound: number) => number): Buffer {
  const kind = next(6);
  const [from, length] = [next(bytes.length), 1 + next(64)];
  if (kind === 0) return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]);
  if (kind === 1) return Buffer.concat([bytes.subarray(0, from + length), bytes.subarray(from)]);
  if (kind === 2) return bytes.subarray(0, 1 + from);
  const changed = Buffer.from(bytes);
  for (let count = 1 + next(8); count > 0; count -= 1) changed[next(bytes.length)] = next(256);
  return changed;
}

async function readAs(bytes: Buffer, mediaType: string): Promise<string> {
  const outcome = await desk.read(bytes, mediaType, trustAnchorPem);
  return outcome.kind === 'store' ? outcome.store.validation_state : outcome.kind;
}

async function signAs(bytes: Buffer, mediaType: string): Promise<string> {
  try {
    return (await desk.sign(bytes, mediaType)).store.validation_state;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

/** Whether all that differs lies in the file type box of an ISO file, which C2PA leaves out of its hash. */
function isUnhashed(damaged: Buffer, signed: Buffer): boolean {
  const rest = signed.subarray(0, 8).toString('latin1').endsWith('ftyp') ? signed.readUInt32BE(0) : 0;
  return damaged.subarray(rest).equals(signed.subarray(rest));
}

describe.each(MEDIA_FORMATS.map(({ name }) => name))('damaged %s files', (name) => {
  it(`are each invalid, broken or cut before their manifest, ${FILES_PER_FORMAT} of them`, {
    timeout: 600_000,
  }, async () => {
    const file = files.get(name);
    if (file === undefined) throw new Error(`no file of the format ${name}`);
    const { signed } = await desk.sign(file.bytes, file.mediaType, { thumbnail: true });
    const next = createNumbers(MEDIA_FORMATS.findIndex((format) => format.name === name));
    for (let count = 0; count < FILES_PER_FORMAT; count += 1) {
      const damaged = mutate(signed, next);
      const state = await readAs(damaged, file.mediaType);
      if (isUnhashed(damaged, signed)) continue;
      const allowed = damaged.includes('c2pa.assertions')
        ? ['Invalid', 'broken']
        : ['Invalid', 'broken', 'none'];
      expect(allowed, `file ${count}`).toContain(state);
    }
  });

  it(`are refused or signed, ${FILES_PER_FORMAT / 2} of them`, { timeout: 600_000 }, async () => {
    const file = files.get(name);
    if (file === undefined) throw new Error(`no file of the format ${name}`);
    const next = createNumbers(100 + MEDIA_FORMATS.findIndex((format) => format.name === name));
    for (let count = 0; count < FILES_PER_FORMAT / 2; count += 1) {
      const state = await signAs(mutate(file.bytes, next), file.mediaType);
      expect(['Valid', 'ValidationError'], `file ${count}`).toContain(state);
    }
  });
});
