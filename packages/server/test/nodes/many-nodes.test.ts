import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createDatabase } from '../support/postgres.js';
import { runSql } from '../support/postgres-databases.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { REDIS_COMMAND, type RedisServer, startRedis } from '../support/redis.js';
import { jsonPost } from '../support/service.js';

/** Only the test of the limit uses the second key. */
const LIMITED = Array.from({ length: 2 }, (_, index) => `limited-key-${index}`);
const ANN = { id: 'ann', role: 'human' };

describe('two nodes on one PostgreSQL', () => {
  let url: string;
  let redis: RedisServer | undefined;
  let nodes: [ServiceProcess, ServiceProcess];

  beforeAll(async () => {
    url = await createDatabase(inject('postgresUrl'));
    redis = REDIS_COMMAND === undefined ? undefined : await startRedis();
    const environment = {
      DATABASE_URL: url,
      API_KEYS: LIMITED.map((key) => `${key}:one`).join(),
      RATE_LIMIT_RPM: '40',
      RATE_LIMIT_BURST: '0',
      ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
    };
    nodes = await Promise.all([startProcess(environment), startProcess(environment)]);
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
    await redis?.stop();
  });

  const bearer = (key = LIMITED[0]) => ({ authorization: `Bearer ${key}` });

  it('apply each migration once when they start together on an empty database', async () => {
    const changes = await runSql(url, 'select name from provenance.schema_change');
    expect(new Set(changes.map(({ name }) => name)).size).toBe(changes.length);
    expect(changes.length).toBeGreaterThan(10);
  });

  it.each([
    ['/v1/action', { performedBy: 'ann', extensions: { 'ext:note@1.0.0': { text: 'x' } } }],
    ['/v1/batch', { entities: [ANN], actions: [{ performedBy: 'ann' }, { performedBy: 'ann' }] }],
  ])(
    'record a POST to %s once for one Idempotency-Key, also when both nodes receive it concurrently',
    async (path, body) => {
      await nodes[0].send('/v1/entity', jsonPost(ANN, bearer()));
      const countActions = async () => {
        const [row] = await runSql(url, 'select count(*)::int as count from provenance.action');
        return Number(row?.count);
      };
      const before = await countActions();
      const request = jsonPost(body, { ...bearer(), 'idempotency-key': randomUUID() });
      const answers = await Promise.all(nodes.map((node) => node.send(path, request)));
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      const [one, two] = await Promise.all(answers.map((answer) => answer.json()));
      expect(two).toEqual(one);
      expect(await (await nodes[1].send(path, request)).json()).toEqual(one);
      expect((await countActions()) - before).toBe('actions' in body ? 2 : 1);
    },
  );

  it('show recordings of each other immediately', async () => {
    const outputCids = [`sha256:${'3d'.repeat(32)}`];
    await nodes[0].send('/v1/entity', jsonPost(ANN, bearer()));
    const made = await nodes[0].send('/v1/action', jsonPost({ performedBy: 'ann', outputCids }, bearer()));
    const { actionId } = await made.json();
    const bundle = await nodes[1].send(`/v1/bundle/${outputCids[0]}`, { headers: bearer() });
    expect((await bundle.json()).actions).toMatchObject([{ id: actionId }]);
  });

  it.skipIf(REDIS_COMMAND === undefined)('count the requests of a key together', async () => {
    const headers = bearer(LIMITED[1]);
    const statuses: number[] = [];
    for (let count = 0; count < 42; count++)
      statuses.push((await (count % 2 === 0 ? nodes[0] : nodes[1]).send('/v1/entities', { headers })).status);
    expect(statuses).toEqual([...Array(40).fill(200), 429, 429]);
    const ready = await (await fetch(`${nodes[0].base}/readyz`)).json();
    expect(ready.checks.limits).toBe('ok (shared)');
  });
});
