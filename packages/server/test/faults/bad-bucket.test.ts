import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createLedger, TENANTS } from '../support/ledger.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { type Behaviour, type FaultyProxy, startFaultyProxy } from '../support/s3/faulty-proxy.js';
import { type S3Server, startS3rver } from '../support/s3/servers.js';
import { ANN_CREATES, toForm } from '../support/service.js';

vi.setConfig({ testTimeout: 600_000 });

const ROUNDS = process.env.LONG_TESTS ? 5 : 1;
const BAD_MS = process.env.LONG_TESTS ? 4_000 : 1_000;

const directory = mkdtempSync(path.join(tmpdir(), 'colophon-bucket-'));
let server: S3Server;
let gate: FaultyProxy;
let service: ServiceProcess;
beforeAll(async () => {
  server = await startS3rver();
  gate = await startFaultyProxy(server.place.endpoint);
  service = await startProcess({
    ...TENANTS,
    API_KEYS: `${TENANTS.API_KEYS},${READER}:reader`,
    DATA_DIR: directory,
    S3_ENDPOINT: gate.endpoint,
    S3_BUCKET: server.place.bucket,
    S3_ACCESS_KEY_ID: server.place.accessKeyId,
    S3_SECRET_ACCESS_KEY: server.place.secretAccessKey,
  });
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await gate.close();
  await server.close();
  rmSync(directory, { recursive: true });
});

/** The ledger records in the two other projects. */
const READER = 'test-key-of-the-reader';
const headers = { authorization: `Bearer ${READER}` };

async function record(content: string): Promise<string> {
  const body = toForm(content, ANN_CREATES);
  const answer = await service.send('/v1/activity', { method: 'POST', body, headers });
  expect(answer.status).toBe(201);
  return (await answer.json()).cid;
}

/** Returns undefined when the request or the transfer fails. */
async function read(cid: string): Promise<string | undefined> {
  try {
    const answer = await service.send(`/v1/resource/${cid}/content`, { headers });
    const text = await answer.text();
    return answer.status === 200 ? text : undefined;
  } catch {
    return undefined;
  }
}

const HOW: readonly Exclude<Behaviour, 'well'>[] = [
  'down',
  'slow',
  'fails',
  'error with 200',
  'page with 200',
  'other bytes',
  'cut short',
];

it('the service keeps acknowledged content and never delivers altered bytes while the bucket is faulty', async () => {
  const ledger = createLedger();
  for (let round = 0; round < ROUNDS; round++) {
    for (const how of HOW) {
      const content = `read back while it is bad: ${how}, ${round}`;
      const cid = await record(content);
      const load = ledger.load(service.base, 4);
      await ledger.untilAcknowledged(5);
      gate.behave(how);
      const readings = [await read(cid), await read(cid)];
      await sleep(BAD_MS);
      gate.behave('well');
      ledger.faultBegins();
      await ledger.untilAcknowledged(5);
      await load.stop();
      for (const reading of readings) expect(reading, how).toBe(how === 'slow' ? content : undefined);
      expect(await read(cid), how).toBe(content);
    }
  }
  expect([...ledger.statuses.keys()].sort()).toEqual([201, 503]);
  await ledger.check(service.base);
  const how = `${HOW.join(', ')}: ${BAD_MS / 1_000} s each`;
  ledger.report({ fault: 'S3 fails or lies', how, rounds: ROUNDS * HOW.length });
});
