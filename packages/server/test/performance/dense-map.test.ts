import { afterAll, beforeAll, expect, it } from 'vitest';
import { actionsOf, fillMap, lastOf } from '../../../../bench/support/dense-map.mjs';
import { runSql } from '../support/run-sql.js';
import { jsonPost, startService } from '../support/service.js';
import { type Cost, type CountedPostgres, REQUESTS, startCountedPostgres } from './counted-postgres.js';

/** How many identifiers share their first 2 bytes in a project of about 10^5 and of 10^7 actions. */
const FEW = 5;
const MANY = 460;
const GROWTH = 1.3;
const TIMEOUT_MS = 300_000;

let postgres: CountedPostgres;
beforeAll(async () => {
  postgres = await startCountedPostgres();
}, TIMEOUT_MS);
afterAll(() => postgres?.stop());

async function countProof(density: number): Promise<Cost> {
  const { url, count } = await postgres.createDatabase(`density_${density}`);
  const environment = { DATABASE_URL: url, SERVER_SIGNING_KEY: '07'.repeat(32) };
  const service = await startService('PostgreSQL', { environment });
  try {
    const id = actionsOf(0)[0]?.performedBy;
    expect((await service.send('/v1/entity', jsonPost({ id, role: 'ai' }))).status).toBe(201);
    await fillMap((text, parameters) => runSql(url, text, parameters), density);
    for (let bundle = 0; bundle < REQUESTS; bundle++) {
      const answer = await service.send('/v1/batch', jsonPost({ actions: actionsOf(bundle) }));
      expect(answer.status).toBe(201);
    }
    await runSql(url, 'analyze');
    return await count(async (bundle) => {
      const answer = await service.send(`/v1/bundle/${lastOf(bundle)}?proof=true`);
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
    });
  } finally {
    await service.stop();
  }
}

it('in a map with 92 times as many identifiers, a proof reads at most 1.3 times as many pages', {
  timeout: TIMEOUT_MS,
}, async () => {
  const [few, many] = [await countProof(FEW), await countProof(MANY)];
  if (process.env.SHOW_COSTS !== undefined) process.stdout.write(`${JSON.stringify({ few, many })}\n`);
  expect(many.pages).toBeLessThanOrEqual(few.pages * GROWTH);
  expect(many.statements).toBe(few.statements);
});
