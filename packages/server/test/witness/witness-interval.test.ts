import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { formatVerifierKey, parseWitnessKey, toVerifierKey } from '@colophon/model';
import { expect, it, vi } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { createSigner } from '../../src/access/ed25519.js';
import { jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';
import { startWitness } from '../support/witness.js';

const SEED = 'ab'.repeat(32);
const INTERVAL_SECONDS = 2;
const RECORDINGS = 20;

/** Stores the time of each request. Answers 429 if the body contains `limited`. */
async function startCounter(witnessUrl: string, limited = '-') {
  const timesMs: number[] = [];
  const server = createServer(async (request, response) => {
    timesMs.push(performance.now());
    const body = await buffer(request);
    if (limited !== '-' && body.includes(limited)) return void response.writeHead(429).end();
    const answer = await fetch(witnessUrl + request.url, { method: 'POST', body: new Uint8Array(body) });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    timesMs,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}

const originOf = (project: string) => `example.org/log/${namedProjectId(project)}`;
const logOf = (project: string) =>
  formatVerifierKey(toVerifierKey(originOf(project), Buffer.from(createSigner(SEED).publicKeyHex, 'hex')));

async function withWitness(
  { intervalSeconds, limited }: { intervalSeconds: number; limited?: string },
  use: (service: Service, parts: { timesMs: readonly number[]; line: string }) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-interval-'));
  const witness = await startWitness(folder, [logOf('one'), logOf('two')]);
  const counter = await startCounter(witness.url, limited);
  const service = await startService('PGlite in memory', {
    environment: {
      SERVER_SIGNING_KEY: SEED,
      PUBLIC_URL: 'https://example.org',
      WITNESSES: `${witness.key} ${counter.url}`,
      WITNESS_INTERVAL: String(intervalSeconds),
    },
  });
  try {
    await use(service, { timesMs: counter.timesMs, line: `— ${parseWitnessKey(witness.key)?.name} ` });
  } finally {
    await service.stop();
    counter.close();
    await witness.stop();
    rmSync(folder, { recursive: true });
  }
}

it('the service asks the witness of a growing log at most once per WITNESS_INTERVAL', async () => {
  await withWitness({ intervalSeconds: INTERVAL_SECONDS }, async (service, { timesMs, line }) => {
    const readCheckpoint = async () => (await service.send('/v1/log/checkpoint')).text();
    for (let n = 0; n < RECORDINGS; n++) expect((await service.upload(`content ${n}`)).status).toBe(201);
    await vi.waitFor(async () => expect(await readCheckpoint()).toContain(line), { timeout: 30_000 });
    const [firstMs = 0] = timesMs;
    // A timer can fire a millisecond early.
    const rounds = Math.floor((performance.now() + 10 - firstMs) / 1000 / INTERVAL_SECONDS) + 1;
    expect(timesMs.length).toBeGreaterThan(0);
    expect(timesMs.length).toBeLessThanOrEqual(rounds);
  });
});

it('after a 429 for one log, the witness still cosigns the logs of other projects', async () => {
  await withWitness({ intervalSeconds: 1, limited: originOf('one') }, async (service, { timesMs, line }) => {
    expect((await service.upload('limited')).status).toBe(201);
    await vi.waitFor(() => expect(timesMs.length).toBeGreaterThan(0), { timeout: 30_000 });
    const asOther = { headers: { authorization: `Bearer ${OTHER_KEY}` } };
    for (const word of ['first', 'second']) {
      const entity = jsonPost({ id: word, role: 'human' });
      const headers = { ...entity.headers, ...asOther.headers };
      expect((await service.send('/v1/entity', { ...entity, headers })).status).toBe(201);
      await vi.waitFor(
        async () => expect(await (await service.send('/v1/log/checkpoint', asOther)).text()).toContain(line),
        { timeout: 10_000 },
      );
    }
    const { checks } = await (await service.send('/readyz')).json();
    expect(checks.witnesses).toBe('ok (1 configured)');
    expect(await (await service.send('/v1/log/checkpoint')).text()).not.toContain(line);
  });
});
