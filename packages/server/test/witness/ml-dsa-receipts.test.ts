import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  cosign,
  formatVerifierKey,
  type MlDsaSigner,
  parseWitnessKey,
  toVerifierKey,
  toWitnessKey,
  verifyWitnesses,
  type WitnessKey,
} from '@colophon/model';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { createSigner } from '../../src/access/ed25519.js';
import { createCosignatureVerifiers, hasMlDsa } from '../../src/access/ml-dsa.js';
import { requestCosignature } from '../../src/witnesses/request-cosignature.js';
import { COSIGNED_CHECKPOINT } from '../support/ml-dsa-vectors.js';
import { runCli } from '../support/run-cli.js';
import { type Engine, type Service, startService } from '../support/service.js';
import { startWitness } from '../support/witness.js';

const SEED = 'ab'.repeat(32);
const LOG = formatVerifierKey(
  toVerifierKey(
    `example.org/log/${namedProjectId('one')}`,
    Buffer.from(createSigner(SEED).publicKeyHex, 'hex'),
  ),
);
const ENGINES: readonly Engine[] = ['PGlite in memory', 'PostgreSQL'];
const folder = mkdtempSync(path.join(tmpdir(), 'colophon-ml-dsa-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.runIf(hasMlDsa()).each(ENGINES)(
  'a witness with ML-DSA-44 beside one with Ed25519, on %s (Node 24.6 or later)',
  (engine) => {
    it('cosigns the log, and a receipt verifies offline with a quorum of both witnesses', async () => {
      const begin = (name: string) =>
        startWitness(path.join(folder, engine, name), [LOG], ['--algorithm', name, '--name', 'w.example']);
      const [old, mlDsa] = await Promise.all([begin('ed25519'), begin('ml-dsa-44')]);
      const service = await startService(engine, {
        environment: {
          SERVER_SIGNING_KEY: SEED,
          PUBLIC_URL: 'https://example.org',
          WITNESSES: [old, mlDsa].map(({ key, url }) => `${key} ${url}`).join(),
          WITNESS_INTERVAL: '1',
        },
      });
      try {
        await recordAndVerify(service, [old.key, mlDsa.key]);
        expect((await recordAndVerify(service, [old.key, mlDsa.key])).stdout).toMatch(
          /^as of {8}20\S+Z by the clock of 2 witnesses$/m,
        );
        const { witnesses } = (await (await service.send('/readyz')).json()).checks;
        expect(witnesses).toBe('ok (2 configured)');
      } finally {
        await service.stop();
        await Promise.all([old.stop(), mlDsa.stop()]);
      }
    });
  },
);

async function recordAndVerify(service: Service, keys: readonly string[]) {
  const { actionId } = await (await service.upload(`content ${Math.random()}`)).json();
  const witnesses = keys.map((key) => parseWitnessKey(key) as WitnessKey);
  const read = async () => (await service.send(`/v1/action/${actionId}/receipt`)).json();
  const receipt = await vi.waitFor(
    async () => {
      const found = await read();
      const policy = { witnesses, quorum: keys.length };
      const report = verifyWitnesses(found.log.checkpoint, policy, createCosignatureVerifiers());
      expect(report).toMatchObject({ verified: true, missing: [] });
      return found;
    },
    { timeout: 15_000, interval: 100 },
  );
  const file = path.join(folder, `${actionId}.json`);
  writeFileSync(file, JSON.stringify(receipt));
  const done = await runCli(['verify', file, '--key', LOG, ...keys.flatMap((key) => ['--witness', key])], {});
  expect([done.status, done.stderr]).toEqual([0, '']);
  return done;
}

describe('the service', () => {
  const signer: MlDsaSigner = {
    algorithm: 'ml-dsa-44',
    publicKey: new Uint8Array(1_312).fill(7),
    signBytes: () => new Uint8Array(2_420),
  };
  const name = 'w.example';
  const note = COSIGNED_CHECKPOINT;
  const text = note.slice(0, note.indexOf('\n\n') + 1);

  it.each([
    ['keeps a cosignature with ML-DSA-44 that states a time', 1, true],
    ['refuses a cosignature with ML-DSA-44 that states no time', 0, false],
  ])('%s', async (_, timeSeconds, isKept) => {
    const line = cosign(text, { name, timeSeconds }, signer);
    const server = createServer((_request, response) => response.end(line)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const witness = { id: 'w', key: toWitnessKey(name, signer.publicKey, 'ml-dsa-44'), url };
    // The test accepts each signature with ML-DSA-44, so that it runs on every version of Node.
    const verify = { ed25519: () => false, mlDsa44: () => true };
    const deps = { verify, timeoutMs: 5_000, stopping: new AbortController().signal };
    const request = { note, size: 5, presentSize: 5, oldSize: 0, proveConsistency: async () => [] };
    const asked = requestCosignature(deps, witness, request);
    try {
      if (isKept) await expect(asked).resolves.toEqual({ line });
      else await expect(asked).rejects.toThrow('answered without a valid cosignature');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
