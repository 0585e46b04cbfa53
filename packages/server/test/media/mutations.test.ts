import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/errors.js';
import { MEDIA_FORMATS } from '../../src/media/formats.js';
import { type MediaDesk, openMediaDesk } from '../support/media-desk.js';
import {
  HAS_REAL_FILES,
  type MediaFile,
  makeMediaFiles,
  REAL_UNSIGNED,
  realFile,
} from '../support/media-files.js';
import { trustAnchorPem } from '../support/signers.js';

const FILES_PER_FORMAT = process.env.LONG_TESTS === '1' ? 500 : 20;
const REAL_FILES_PER_FORMAT = FILES_PER_FORMAT / 10;
const UNHASHED = ['ftyp', 'free', 'skip'];
const TIME_LIMIT_MS = 5000;
let desk: MediaDesk;
let files: Map<string, MediaFile>;

beforeAll(async () => {
  desk = await openMediaDesk({ timeoutMs: TIME_LIMIT_MS });
  files = new Map((await makeMediaFiles()).map((file) => [file.name, file]));
});

afterAll(() => desk.close());

/** The same numbers in every run (mulberry32). */
function createNumbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/** Changes some bytes, removes or repeats a part, or removes the end. */
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

function isUnhashed(damaged: Buffer, signed: Buffer): boolean {
  if (damaged.length !== signed.length) return false;
  const [left, right] = [Buffer.from(damaged), Buffer.from(signed)];
  for (const { from, to } of [...listUnhashedBoxes(signed), ...listUnsigned(signed)]) {
    left.fill(0, from, to);
    right.fill(0, from, to);
  }
  return left.equals(right);
}

interface Range {
  from: number;
  to: number;
}

function listUnhashedBoxes(file: Buffer): Range[] {
  if (file.toString('latin1', 4, 8) !== 'ftyp') return [];
  return listBoxes(file).filter(({ type }) => UNHASHED.includes(type));
}

/**
 * The unprotected header of an older signer, with certificates, a time-stamp and padding. Our signatures have only a
 * time-stamp there (C2PA 2.2 §13.2).
 */
function listUnsigned(file: Buffer): Range[] {
  const pad = file.indexOf(Buffer.from([0x63, ...Buffer.from('pad'), 0x59]));
  const from = file.indexOf('x5chain');
  return pad === -1 || from === -1 ? [] : [{ from, to: pad + 7 + file.readUInt16BE(pad + 5) }];
}

/** ISO/IEC 14496-12 §4.2. */
function listBoxes(file: Buffer): (Range & { type: string })[] {
  const boxes: (Range & { type: string })[] = [];
  for (let from = 0; from + 8 <= file.length; ) {
    const short = file.readUInt32BE(from);
    const length = short === 1 ? Number(file.readBigUInt64BE(from + 8)) : short || file.length - from;
    boxes.push({ type: file.toString('latin1', from + 4, from + 8), from, to: from + length });
    from += Math.max(8, length);
  }
  return boxes;
}

interface Sample {
  signed: Buffer;
  mediaType: string;
  count: number;
  seed: number;
}

/**
 * For a damaged hashed part, the engine must report an invalid or broken file, or no manifest if the assertions are
 * lost.
 */
async function expectDamage({ signed, mediaType, count, seed }: Sample): Promise<void> {
  const next = createNumbers(seed);
  for (let index = 0; index < count; index += 1) {
    const damaged = mutate(signed, next);
    const state = await readAs(damaged, mediaType);
    if (damaged.equals(signed) || isUnhashed(damaged, signed)) continue;
    const allowed = damaged.includes('c2pa.assertions')
      ? ['Invalid', 'broken']
      : ['Invalid', 'broken', 'none'];
    expect(allowed, `file ${index}`).toContain(state);
  }
}

describe.skipIf(!HAS_REAL_FILES)('damaged real files', () => {
  it.each(REAL_UNSIGNED)(
    `%s: each of ${REAL_FILES_PER_FORMAT} files with damage in a hashed part is invalid, broken or without assertions`,
    {
      timeout: 1_800_000,
    },
    async (name, mediaType) => {
      const { signed } = await desk.sign(readFileSync(realFile(`unsigned/${name}`)), mediaType);
      await expectDamage({ signed, mediaType, count: REAL_FILES_PER_FORMAT, seed: name.length });
    },
  );

  it.each(['C', 'CA', 'CAI'])(
    `adobe-20220124-%s.jpg: each of ${FILES_PER_FORMAT} damaged copies is invalid, broken or without assertions`,
    { timeout: 1_800_000 },
    async (name) => {
      const signed = readFileSync(realFile(`signed/adobe-20220124-${name}.jpg`));
      await expectDamage({ signed, mediaType: 'image/jpeg', count: FILES_PER_FORMAT, seed: name.length });
    },
  );
});

describe('free space of an ISO file', () => {
  it.each(['free', 'skip'])(
    'a %s box can be changed, and its bytes are not part of the content',
    async (type) => {
      const file = files.get('MP4');
      if (file === undefined) throw new Error('no file of the format MP4');
      const box = Buffer.alloc(64);
      box.writeUInt32BE(box.length);
      box.write(type, 4);
      const { signed } = await desk.sign(Buffer.concat([file.bytes, box]), file.mediaType);
      const changed = Buffer.from(signed);
      changed[changed.length - 1] = 1;
      expect(isUnhashed(changed, signed)).toBe(true);
      expect(await readAs(changed, file.mediaType)).toBe('Trusted');
    },
  );
});

describe.each(MEDIA_FORMATS.map(({ name }) => name))('damaged %s files', (name) => {
  it(`are invalid, broken or without assertions if a hashed part is damaged (${FILES_PER_FORMAT} files)`, {
    timeout: 1_800_000,
  }, async () => {
    const file = files.get(name);
    if (file === undefined) throw new Error(`no file of the format ${name}`);
    const { signed } = await desk.sign(file.bytes, file.mediaType, { thumbnail: true });
    const seed = MEDIA_FORMATS.findIndex((format) => format.name === name);
    await expectDamage({ signed, mediaType: file.mediaType, count: FILES_PER_FORMAT, seed });
  });

  it(`are rejected or signed (${FILES_PER_FORMAT / 2} files)`, { timeout: 1_800_000 }, async () => {
    const file = files.get(name);
    if (file === undefined) throw new Error(`no file of the format ${name}`);
    const next = createNumbers(100 + MEDIA_FORMATS.findIndex((format) => format.name === name));
    for (let count = 0; count < FILES_PER_FORMAT / 2; count += 1) {
      const state = await signAs(mutate(file.bytes, next), file.mediaType);
      expect(['Valid', 'ValidationError'], `file ${count}`).toContain(state);
    }
  });
});
