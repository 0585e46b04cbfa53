import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePicture } from '../../../../bench/support/pictures.mjs';
import { startDescribingEarlier } from '../../src/compose/matching.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

/** A loaded machine can take long to compute the codes. */
const SOON = { timeout: 30_000 };
const TEXT =
  'The lighthouse keeper wrote down each ship that passed, its flag, its course and the wind. '.repeat(3);

/** The vectors count letters. The model decides their length. */
function answerTo(body: string): string {
  const { input, model } = JSON.parse(body) as { input: string; model: string };
  const letters = model === 'short' ? 'aeiou' : 'abcdefghijklmnopqrstuvwxyz';
  return JSON.stringify({ data: [{ embedding: [...letters].map((one) => input.split(one).length - 3) }] });
}

describe('content that was recorded before it could be described', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-earlier-'));
  let provider: Server;
  beforeAll(async () => {
    provider = createServer(async (request, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk as Uint8Array);
      response.setHeader('content-type', 'application/json').end(answerTo(Buffer.concat(chunks).toString()));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => provider.once('listening', resolve));
  });
  afterAll(() => {
    provider.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const start = (environment: Record<string, string> = {}) =>
    startService(ANY_ENGINE, { environment: { DATA_DIR: directory, ...environment } });
  const withModel = (model: string) => {
    const { port } = provider.address() as AddressInfo;
    return start({ EMBEDDINGS_URL: `http://127.0.0.1:${port}`, EMBEDDINGS_MODEL: model });
  };

  const readMethods = async ({ context }: Service) => {
    const rows = await context.databases.provenance.query<{ method: string; numbers: number }>(
      'select method, cardinality(embedding) as numbers from provenance.descriptor order by method, numbers',
    );
    return rows.map(({ method, numbers }) => `${method} ${numbers}`);
  };
  async function until(service: Service, methods: string[]): Promise<void> {
    for (let tries = 0; tries < 300; tries++) {
      if ((await readMethods(service)).join() === methods.join()) return;
      await sleep(100);
    }
    expect(await readMethods(service)).toEqual(methods);
  }

  const BUILT_IN = ['image-512/1 0', 'image-512/1 512', 'text-512/1 512'];

  it('is described after the next start, and content without features is not tried again', async () => {
    let service = await start();
    await service.upload(await makePicture(4));
    await service.upload((await makePicture(4)).subarray(0, 1_000));
    await service.upload(TEXT);
    await until(service, BUILT_IN);
    const coded = async () => {
      const [row] = await service.context.databases.provenance.query<{ n: number }>(
        'select count(*)::int as n from provenance.iscc',
      );
      return row?.n;
    };
    await expect.poll(coded, SOON).toBe(3);
    await service.context.databases.provenance.query('delete from provenance.descriptor');
    await service.context.databases.provenance.query('delete from provenance.iscc');
    await service.stop();
    service = await start();
    await until(service, BUILT_IN);
    await expect.poll(coded, SOON).toBe(3);
    await service.stop();
    service = await start();
    const [row] = await service.context.databases.provenance.query(
      'select count(*)::int as jobs from provenance.outbox',
    );
    expect(row).toEqual({ jobs: 0 });
    await service.context.databases.provenance.query(
      `with lost as (delete from provenance.descriptor where method = 'text-512/1' returning *)
       insert into provenance.outbox (project_id, id, kind, payload, state)
       select project_id, md5(method || ' ' || cid)::uuid, 'describe', '{}', 'failed' from lost`,
    );
    await service.stop();
    service = await start();
    await until(service, BUILT_IN);
    await service.stop();
  });

  it('is looked up by one statement for each kind of content, also if it lacks only its ISCC', async () => {
    const service = await start();
    const { records, logger } = service.context;
    const { provenance } = records;
    const lost = await provenance.query<{ cid: string }>(
      "delete from provenance.iscc where medium = 'text' returning cid",
    );
    const scans: string[] = [];
    const db: typeof provenance = {
      ...provenance,
      query(sql, parameters) {
        if (sql.includes('from provenance.resource r')) scans.push(sql);
        return provenance.query(sql, parameters);
      },
    };
    const earlier = startDescribingEarlier(
      { ...records, provenance: db },
      { jobs: { wake: service.context.jobs.wake, close: async () => {} }, logger },
    );
    await earlier.queued;
    expect([lost.length, scans.length]).toEqual([1, records.matching.kinds.size]);
    const coded = () =>
      provenance.query<{ cid: string }>("select cid from provenance.iscc where medium = 'text'");
    await expect.poll(coded, SOON).toEqual(lost);
    await service.stop();
  });

  it('is looked up again each day, so a failed job runs again without a restart', async () => {
    const service = await start();
    const { records, jobs, logger } = service.context;
    await until(service, BUILT_IN);
    const earlier = startDescribingEarlier(records, {
      jobs: { wake: jobs.wake, close: async () => {} },
      logger,
      againMs: 20,
    });
    await earlier.queued;
    await records.provenance.query(
      `with lost as (delete from provenance.descriptor where method = 'text-512/1' returning *)
       insert into provenance.outbox (project_id, id, kind, payload, state)
       select project_id, md5(method || ' ' || cid)::uuid, 'describe', '{}', 'failed' from lost`,
    );
    await until(service, BUILT_IN);
    await earlier.close();
    await service.stop();
  });

  it('is embedded by each provider that is added later, and keeps its earlier vectors', async () => {
    const search = async (service: Service) =>
      (await service.send('/v1/search/text', jsonPost({ text: TEXT }))).json();
    let service = await withModel('letters');
    await until(service, ['embedding/letters 26', ...BUILT_IN]);
    expect((await search(service)).verdict).toBe('auto');
    await service.stop();
    service = await withModel('short');
    await until(service, ['embedding/letters 26', 'embedding/short 5', ...BUILT_IN]);
    expect((await search(service)).matches).toMatchObject([{ method: 'embedding/short' }]);
    await service.stop();
  });
});
