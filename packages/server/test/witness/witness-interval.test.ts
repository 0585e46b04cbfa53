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
import { startService } from '../support/service.js';
import { startWitness } from '../support/witness.js';

const SEED = 'ab'.repeat(32);
const INTERVAL_SECONDS = 2;
const RECORDINGS = 20;

/** Passes requests to a witness, and keeps the time of each. */
async function startCounter(witnessUrl: string) {
  const timesMs: number[] = [];
  const server = createServer(async (request, response) => {
    timesMs.push(performance.now());
    const answer = await fetch(witnessUrl + request.url, {
      method: 'POST',
      body: new Uint8Array(await buffer(request)),
    });
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

it('a log that grows all the time asks a witness once in each WITNESS_INTERVAL', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-interval-'));
  const origin = `example.org/log/${namedProjectId('one')}`;
  const log = formatVerifierKey(toVerifierKey(origin, Buffer.from(createSigner(SEED).publicKeyHex, 'hex')));
  const witness = await startWitness(folder, [log]);
  const counter = await startCounter(witness.url);
  const service = await startService('PGlite in memory', {
    environment: {
      SERVER_SIGNING_KEY: SEED,
      PUBLIC_URL: 'https://example.org',
      WITNESSES: `${witness.key} ${counter.url}`,
      WITNESS_INTERVAL: String(INTERVAL_SECONDS),
    },
  });
  try {
    const { name } = parseWitnessKey(witness.key) ?? {};
    const readCheckpoint = async () => (await service.send('/v1/log/checkpoint')).text();
    for (let n = 0; n < RECORDINGS; n++) expect((await service.upload(`content ${n}`)).status).toBe(201);
    await vi.waitFor(async () => expect(await readCheckpoint()).toContain(`— ${name} `), { timeout: 30_000 });
    const [firstMs = 0] = counter.timesMs;
    // A timer can fire a millisecond early.
    const rounds = Math.floor((performance.now() + 10 - firstMs) / 1000 / INTERVAL_SECONDS) + 1;
    expect(counter.timesMs.length).toBeGreaterThan(0);
    expect(counter.timesMs.length).toBeLessThanOrEqual(rounds);
  } finally {
    await service.stop();
    counter.close();
    await witness.stop();
    rmSync(folder, { recursive: true });
  }
});
