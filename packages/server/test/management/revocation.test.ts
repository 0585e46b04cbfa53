import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';
import { createMigratedDatabase } from '../support/postgres.js';
import { runSql } from '../support/postgres-databases.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { MANAGEMENT_KEY } from '../support/service.js';

/** `makeRememberedKey` creates a key that both nodes cache. */
async function startNodes(more: (url: string) => Record<string, string>) {
  const url = await createMigratedDatabase(inject('postgresUrl'));
  const environment = { DATABASE_URL: url, MANAGEMENT_API_KEY: MANAGEMENT_KEY, ...more(url) };
  const here = await startProcess(environment);
  const there = await startProcess(environment);
  const makeRememberedKey = async (slug: string) => {
    const made = await makeKey(here, slug);
    for (let count = 0; count < 3; count++) expect(await statusOf(there, made.key)).toBe(200);
    expect(await statusOf(here, made.key)).toBe(200);
    return made;
  };
  const stop = async () => expect(await Promise.all([here.stop(), there.stop()])).toEqual([0, 0]);
  return { url, here, there, makeRememberedKey, stop };
}

it('a key revoked on one node loses access there immediately, and on another node after the notification', async () => {
  const { here, there, makeRememberedKey, stop } = await startNodes((url) => ({ DATABASE_DIRECT_URL: url }));
  const { id, key } = await makeRememberedKey('planet');
  const before = await heardBy(there, 'listen');
  await manage(here, `/api-keys/${id}`, 'DELETE');
  expect(await statusOf(here, key)).toBe(401);
  await expect.poll(() => heardBy(there, 'listen'), { timeout: 5_000 }).toBe(before + 1);
  expect(await statusOf(there, key)).toBe(401);
  await stop();
});

it('on nodes that only poll, a revoked key has no access on another node one second later', async () => {
  const { here, there, makeRememberedKey, stop } = await startNodes(() => ({}));
  const { id, key } = await makeRememberedKey('planet');
  await manage(here, `/api-keys/${id}`, 'DELETE');
  expect(await statusOf(here, key)).toBe(401);
  await sleep(1_000);
  expect(await statusOf(there, key)).toBe(401);
  expect(await heardBy(there, 'listen')).toBe(0);
  await stop();
});

it('a node polls after its listening connection is cut, and rejects a revoked key one second later', async () => {
  const nodes = await startNodes((url) => ({ DATABASE_DIRECT_URL: url }));
  const { url, here, there, makeRememberedKey, stop } = nodes;
  const { id, key } = await makeRememberedKey('planet');
  const cut = await runSql(
    url,
    `select pg_terminate_backend(pid) as cut from pg_stat_activity
     where datname = current_database() and query like 'listen %'`,
  );
  expect(cut).toEqual([{ cut: true }, { cut: true }]);
  const before = await heardBy(there, 'listen');
  await manage(here, `/api-keys/${id}`, 'DELETE');
  await sleep(1_000);
  expect(await statusOf(there, key)).toBe(401);
  expect(await heardBy(there, 'listen')).toBe(before);
  await stop();
});

async function heardBy(node: ServiceProcess, by: 'listen' | 'poll'): Promise<number> {
  const metrics = await (await node.send('/metrics')).text();
  const count = new RegExp(`^colophon_control_changes_heard_total\\{by="${by}"\\} (\\d+)$`, 'm').exec(
    metrics,
  );
  return Number(count?.[1]);
}

async function makeKey(node: ServiceProcess, slug: string): Promise<{ id: string; key: string }> {
  await manage(node, '/orgs', 'POST', { name: 'Daily Planet', slug });
  const project = await manage(node, '/projects', 'POST', { orgSlug: slug, name: 'Front page' });
  return manage(node, '/api-keys', 'POST', { projectId: project.id, name: 'key' });
}

async function manage(node: ServiceProcess, path: string, method: string, body?: object) {
  const answer = await node.send(`/management${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${MANAGEMENT_KEY}`,
      'x-user-id': 'ann',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
}

async function statusOf(node: ServiceProcess, key: string): Promise<number> {
  return (await node.send('/v1/entities', { headers: { authorization: `Bearer ${key}` } })).status;
}
