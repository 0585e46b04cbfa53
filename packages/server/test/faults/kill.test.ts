import { createHash, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createDatabase, type PostgresServer, startPostgres } from '../support/postgres.js';
import { type ServiceProcess, startProcess } from '../support/process.js';

const ROUNDS = 3;
const CALLERS = 8;

interface Acknowledged {
  content: string;
  cid: string;
  actionId: string;
}

/** Records files from several callers at once until the service is gone; gives what was sent and acknowledged. */
async function recordUntilGone(service: ServiceProcess, round: number) {
  const acknowledged: Acknowledged[] = [];
  const sent: string[] = [];
  const caller = async (index: number) => {
    for (let count = 0; ; count++) {
      const content = `round ${round}, caller ${index}, file ${count}, ${'x'.repeat(randomInt(20_000))}`;
      sent.push(content);
      try {
        const answer = await service.upload(content);
        if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
        acknowledged.push({ content, ...((await answer.json()) as { cid: string; actionId: string }) });
      } catch (error) {
        // The killed process resets connections; an answer of another kind is a failure of the test.
        if (error instanceof TypeError) return;
        throw error;
      }
    }
  };
  return {
    done: Promise.all(Array.from({ length: CALLERS }, (_, index) => caller(index))),
    acknowledged,
    sent,
  };
}

/** Every acknowledged recording is there whole and once; every other is there whole or not at all. */
async function expectWhole(service: ServiceProcess, acknowledged: Acknowledged[], sent: string[]) {
  for (const { content, cid, actionId } of acknowledged) {
    const bundle = await (await service.send(`/v1/bundle/${cid}`)).json();
    expect(bundle.actions?.map(({ id }: { id: string }) => id)).toEqual([actionId]);
    expect(await (await service.send(`/v1/resource/${cid}/content`)).text()).toBe(content);
  }
  const known = new Set(acknowledged.map(({ content }) => content));
  for (const content of sent.filter((one) => !known.has(one))) {
    const name = `sha256:${createHash('sha256').update(content).digest('hex')}`;
    const answer = await service.send(`/v1/bundle/${name}`);
    if (answer.status === 404) continue;
    const bundle = await answer.json();
    expect([bundle.actions.length, bundle.resources.length, bundle.attributions.length]).toEqual([1, 1, 1]);
    expect(await (await service.send(`/v1/resource/${name}/content`)).text()).toBe(content);
  }
}

describe('kill -9 of the service while it records', () => {
  it.each(['PGlite in DATA_DIR', 'PostgreSQL'])(
    'loses nothing acknowledged and shows nothing half-written: %s',
    async (engine) => {
      const directory = mkdtempSync(path.join(tmpdir(), 'colophon-kill-'));
      const environment: Record<string, string> = { DATA_DIR: directory };
      if (engine === 'PostgreSQL') environment.DATABASE_URL = await createDatabase(inject('postgresUrl'));
      const all: { acknowledged: Acknowledged[]; sent: string[] } = { acknowledged: [], sent: [] };
      for (let round = 0; round < ROUNDS; round++) {
        const service = await startProcess(environment);
        const load = await recordUntilGone(service, round);
        await sleep(randomInt(300, 1200));
        // A busy machine may need longer for its first recordings.
        for (let tries = 0; load.acknowledged.length < 2 && tries < 200; tries++) await sleep(50);
        await service.kill9();
        await load.done;
        all.acknowledged.push(...load.acknowledged);
        all.sent.push(...load.sent);
      }
      expect(all.acknowledged.length).toBeGreaterThan(ROUNDS);
      const service = await startProcess(environment);
      await expectWhole(service, all.acknowledged, all.sent);
      expect(await service.stop()).toBe(0);
      rmSync(directory, { recursive: true });
    },
  );
});

describe('kill -9 of PostgreSQL while the service records', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: true });
  });
  afterAll(() => postgres.stop());

  it('answers 503 while it is away, then goes on; nothing acknowledged is lost, nothing is half-written', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'colophon-kill-'));
    const service = await startProcess({ DATABASE_URL: postgres.url, DATA_DIR: directory });
    const acknowledged: Acknowledged[] = [];
    const sent: string[] = [];
    const statuses = new Set<number>();
    let going = true;
    const caller = async (index: number) => {
      for (let count = 0; going; count++) {
        const content = `caller ${index}, file ${count}`;
        sent.push(content);
        const answer = await service.upload(content);
        statuses.add(answer.status);
        const body = (await answer.json()) as { cid: string; actionId: string };
        if (answer.status === 201) acknowledged.push({ content, ...body });
      }
    };
    const load = Promise.all([0, 1, 2, 3].map(caller));
    await sleep(500);
    await postgres.kill9();
    await sleep(300);
    await postgres.restart();
    await sleep(500);
    going = false;
    await load;
    expect([...statuses].sort()).toEqual([201, 503]);
    await expectWhole(service, acknowledged, sent);
    await service.stop();
    rmSync(directory, { recursive: true });
  });
});
