import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANY_ENGINE, KEY, type Service, startService } from '../../server/test/support/service.js';
import { createClient } from '../src/index.js';

const ANN = { entity: { id: 'ann', role: 'human' } };
const LARGE = new Uint8Array(2 ** 20 + 1);

let service: Service;
let trustedLog: string;
let first: string;
let second: string;

const clientWith = (change: (url: string) => string) =>
  createClient({
    url: service.base,
    apiKey: KEY,
    trustedLog,
    fetch: (url, init) => fetch(change(String(url)), init),
  });

beforeAll(async () => {
  service = await startService(ANY_ENGINE);
  const client = createClient({ url: service.base, apiKey: KEY });
  trustedLog = (await client.log.get()).verifierKey;
  first = (await client.file(LARGE, ANN)).cid;
  second = (await client.file(new Uint8Array(2), ANN)).cid;
});
afterAll(() => service.stop());

it('a history verifies by the CID and by the SHA-256 of its content, but only with the key of its log', async () => {
  const digest = `sha256:${createHash('sha256').update(LARGE).digest('hex')}`;
  for (const name of [first, digest]) {
    const { bundle, report, trust } = await clientWith((url) => url).histories.proven(name);
    expect(report).toMatchObject({ verified: true, cid: first, complete: true });
    expect([bundle.cid, trust]).toEqual([first, 'given']);
  }
  const { report } = await clientWith((url) => url).histories.proven(
    first,
    {},
    { trustedLog: '01'.repeat(32) },
  );
  expect(report).toEqual({ verified: false, code: 'untrustedKey' });
});

it('a valid history does not verify if its content or direction is not the requested one', async () => {
  const swapped = clientWith((url) => url.replace(first, second));
  const turned = clientWith((url) => `${url}&direction=descendants`);
  for (const client of [swapped, turned]) {
    const { report } = await client.histories.proven(first);
    expect(report).toEqual({ verified: false, code: 'otherHistory' });
  }
});
