import { formatWitnessKey, toWitnessKey } from '@colophon/model';
import { expect, it } from 'vitest';
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

it.each(['0', '-1', 'x', '86401'])('WITNESS_INTERVAL=%s is a problem', (text) => {
  expect(() => readConfig({ WITNESS_INTERVAL: text })).toThrow('WITNESS_INTERVAL');
});
