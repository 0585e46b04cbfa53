import { expect, it } from 'vitest';
import { createSigner } from '../../src/access/ed25519.js';
import { createSignatureChecker } from '../../src/access/signatures/signature-checker.js';
import { toLogSigner } from '../../src/transparency-log/log-signer.js';

const { key, ...local } = createSigner('07'.repeat(32));

it.each([
  ['a copy of bytes', {}, 2 ** 20],
  ['bytes that move from the caller to the thread', { moves: true }, 0],
])('the thread makes the same signature as the key itself: %s', async (_what, options, left) => {
  const checker = createSignatureChecker();
  const bytes = new Uint8Array(2 ** 20).fill(7);
  const expected = Buffer.from(local.signBytes(bytes));
  expect(Buffer.from(await checker.sign({ projectId: 'one', key, bytes }, options))).toEqual(expected);
  expect(bytes.length).toBe(left);
  expect(checker.counts).toEqual({ verifications: 0, unchecked: 0, signed: 1 });
  await checker.close();
});

it('the thread for signatures rejects a pending call of `sign` with Unavailable when it ends', async () => {
  const checker = createSignatureChecker();
  const signed = checker.sign({ projectId: 'one', key, bytes: new Uint8Array(8) });
  await checker.close();
  await expect(signed).rejects.toMatchObject({ code: 'Unavailable' });
});

it('the key of the logs signs short texts itself, and leaves long texts to the thread', async () => {
  const long: number[] = [];
  const short: number[] = [];
  const signer = toLogSigner({
    ...local,
    signBytes(bytes) {
      short.push(bytes.length);
      return local.signBytes(bytes);
    },
    async signLong(bytes, caller, options) {
      expect([caller, options]).toEqual(['one', { moves: true }]);
      long.push(bytes.length);
      return local.signBytes(bytes);
    },
  });
  for (const length of [0, 2 ** 17, 2 ** 17 + 1])
    await signer.signBytes(new Uint8Array(length), 'one', { moves: true });
  expect({ short, long }).toEqual({ short: [0, 2 ** 17], long: [2 ** 17 + 1] });
});
