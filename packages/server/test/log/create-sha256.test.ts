import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createSha256 } from '../../src/transparency-log/create-sha256.js';

const LENGTHS = [0, 1, 32, 65, 66, 72, 73, 200, 5_000];
const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 7) % 251);
const digestOf = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest('hex');
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

it.each(LENGTHS)(
  'createSha256 hashes %i bytes, alone or between other parts, as node:crypto does',
  (length) => {
    const bytes = bytesOf(length);
    const whole = createSha256();
    whole.update(bytes);
    expect(hexOf(whole.digest())).toBe(digestOf(bytes));
    const parts = createSha256();
    for (const part of [bytesOf(40), bytes, bytesOf(3)]) parts.update(part);
    expect(hexOf(parts.digest())).toBe(digestOf(bytesOf(40), bytes, bytesOf(3)));
  },
);

it('a hash keeps no reference to the bytes of the caller, and a copy of the hash is independent', () => {
  const bytes = bytesOf(32);
  const first = createSha256();
  first.update(bytes);
  bytes.fill(9);
  const second = first.copy();
  first.update(bytesOf(1));
  second.update(Uint8Array.of(5, 6));
  expect(hexOf(first.digest())).toBe(digestOf(bytesOf(32), bytesOf(1)));
  expect(hexOf(second.digest())).toBe(digestOf(bytesOf(32), Uint8Array.of(5, 6)));
});

it('createSha256 returns digests that later calls do not change', () => {
  const digests = LENGTHS.map((length) => {
    const hash = createSha256();
    hash.update(bytesOf(length));
    return hash.digest();
  });
  expect(digests.map(hexOf)).toEqual(LENGTHS.map((length) => digestOf(bytesOf(length))));
});
