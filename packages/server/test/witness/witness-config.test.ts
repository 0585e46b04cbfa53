import { formatWitnessKey, toWitnessKey } from '@colophon/model';
import { expect, it } from 'vitest';
import { openPolicy } from '../../src/cli/verify-cosigners.js';
import { readConfig } from '../../src/config.js';

const keyOf = (name: string, byte: number) => formatWitnessKey(toWitnessKey(name, Buffer.alloc(32, byte)));
const ONE = keyOf('witness.example.org/one', 7);
const TWO = keyOf('witness.example.org/two', 8);

it.each([
  ['line breaks', `\n${ONE} https://one.example\n  ${TWO}\thttp://10.0.0.2:3003/w/\n`],
  ['commas', `${ONE} https://one.example,${TWO} http://10.0.0.2:3003/w/`],
])('WITNESSES takes entries separated by %s', (_, text) => {
  expect(readConfig({ WITNESSES: text, WITNESS_INTERVAL: '3' }).witnessing).toMatchObject({
    witnesses: [
      { keyText: ONE, url: 'https://one.example' },
      { keyText: TWO, url: 'http://10.0.0.2:3003/w/' },
    ],
    intervalMs: 3_000,
  });
});

it('without WITNESSES the configuration has no witnesses', () => {
  expect(readConfig({}).witnessing).toBe(undefined);
});

it.each([
  ['no address', ONE],
  ['no key', 'https://one.example'],
  [
    'the key of a log',
    'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW https://a.example',
  ],
  ['another scheme', `${ONE} ftp://one.example`],
  ['a user in the address', `${ONE} https://ann:pw@one.example`],
  ['another word', `${ONE} https://one.example 3`],
  ['one key twice', `${ONE} https://one.example,${ONE} https://two.example`],
  ['one public key under two names', `${ONE} https://a.example,${keyOf('b', 7)} https://b.example`],
  [
    '17 witnesses',
    Array.from({ length: 17 }, (_, at) => `${keyOf('a', at + 1)} https://${at}.example`).join(),
  ],
])('WITNESSES with %s is a problem', (_, text) => {
  expect(() => readConfig({ WITNESSES: text })).toThrow(/WITNESSES (has a malformed entry|lists)/);
});

/** A witness's key of type ML-DSA-44 (C2SP tlog-cosignature): 0x06 and 1312 bytes. */
const ML_DSA = `witness.example.org/three+1a2b3c4d+${Buffer.alloc(1_313, 6).toString('base64')}`;

it('WITNESSES with a key of type ML-DSA-44 has an error that names this type, and no part of an address', () => {
  const read = (text: string) => () => readConfig({ WITNESSES: text });
  expect(read(`${ONE} https://one.example,${ML_DSA} https://three.example`)).toThrow(
    'number 2 begins with a key that is an ML-DSA-44 key, which needs Node 24 and is not supported. Use an Ed25519 key',
  );
  expect(read('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW x')).toThrow(
    'number 1 begins with a key that is the key of a log',
  );
  expect(read(`${ONE}x https://one.example`)).toThrow('number 1 begins with a key that is malformed');
  expect(read(`${ONE} https://ann:pw@one.example`)).toThrow('number 1 has no valid address after its key');
  expect(read(`${ONE} https://ann:pw@one.example`)).not.toThrow(/pw/);
});

it('--witness with a key of type ML-DSA-44 has an error that names this type', async () => {
  await expect(openPolicy({ witness: [ML_DSA] })).rejects.toThrow('is an ML-DSA-44 key');
});

it.each(['0', '-1', 'x', '86401'])('WITNESS_INTERVAL=%s is a problem', (text) => {
  expect(() => readConfig({ WITNESS_INTERVAL: text })).toThrow('WITNESS_INTERVAL');
});
