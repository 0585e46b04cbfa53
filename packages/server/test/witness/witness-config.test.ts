import { formatWitnessKey, toWitnessKey } from '@colophon/model';
import { expect, it } from 'vitest';
import { explainMissingMlDsa, hasMlDsa } from '../../src/access/ml-dsa.js';
import { openPolicy } from '../../src/cli/verify-cosigners.js';
import { readConfig } from '../../src/config.js';
import { ED25519_KEY, ML_DSA_KEY, OTHER_ML_DSA_KEY } from '../support/ml-dsa-vectors.js';

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

const WITHOUT_ML_DSA = `is an ML-DSA-44 key. ${explainMissingMlDsa()}. Use`;

it.runIf(!hasMlDsa())(
  'before Node 24.6, an ML-DSA-44 key in WITNESSES gets an error with the required version',
  () => {
    expect(() =>
      readConfig({ WITNESSES: `${ONE} https://one.example,${ML_DSA_KEY} https://three.example` }),
    ).toThrow(`number 2 begins with a key that ${WITHOUT_ML_DSA}`);
  },
);

it.runIf(hasMlDsa())(
  'WITNESSES takes ML-DSA-44 keys, each with an id that is shorter than the key (Node 24.6 or later)',
  () => {
    const text = [ED25519_KEY, ML_DSA_KEY, OTHER_ML_DSA_KEY].map((key) => `${key} https://a.example`).join();
    const { witnesses = [] } = readConfig({ WITNESSES: text }).witnessing ?? {};
    expect(witnesses.map(({ keyText }) => keyText)).toEqual([ED25519_KEY, ML_DSA_KEY, OTHER_ML_DSA_KEY]);
    const [old, one, two] = witnesses.map(({ id }) => id);
    expect(old).toBe(ED25519_KEY);
    expect(one).toMatch(/^witness\.example\.org\/one\+[0-9a-f]{8}\+sha256:[0-9a-f]{64}$/);
    expect(two).toMatch(/^drei\.example\/ü\+[0-9a-f]{8}\+sha256:[0-9a-f]{64}$/);
    expect(() => readConfig({ WITNESSES: `${text},${ML_DSA_KEY} https://b.example` })).toThrow(
      'more than once',
    );
  },
);

it('the error for a malformed entry of WITNESSES has the number of the entry, and no part of an address', () => {
  const read = (text: string) => () => readConfig({ WITNESSES: text });
  expect(read(`${ML_DSA_KEY.replace('+', '+0')} https://a.example`)).toThrow(
    'number 1 begins with a key that is malformed',
  );
  expect(read('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW x')).toThrow(
    'number 1 begins with a key that is the key of a log',
  );
  expect(read(`${ONE}x https://one.example`)).toThrow('number 1 begins with a key that is malformed');
  expect(read(`${ONE} https://ann:pw@one.example`)).toThrow(
    'number 1 does not have exactly one valid address after its key',
  );
  expect(read(`${ONE} https://ann:pw@one.example`)).not.toThrow(/pw/);
});

it.runIf(!hasMlDsa())(
  'before Node 24.6, an ML-DSA-44 key in --witness gets an error with the required version',
  async () => {
    const opened = openPolicy({ witness: [ML_DSA_KEY] });
    await expect(opened).rejects.toThrow(WITHOUT_ML_DSA);
    await expect(opened).rejects.not.toThrow('Pass <name>');
  },
);

it.each(['0', '-1', 'x', '86401'])('WITNESS_INTERVAL=%s is a problem', (text) => {
  expect(() => readConfig({ WITNESS_INTERVAL: text })).toThrow('WITNESS_INTERVAL');
});
