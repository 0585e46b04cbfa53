import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';
import { createDatabase } from '../support/postgres.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { MANAGEMENT_KEY } from '../support/service.js';

it.each(['LISTEN', 'polling'])(
  'a key revoked on one node opens nothing there at once, and on another a second later, by %s',
  async (way) => {
    const url = await createDatabase(inject('postgresUrl'));
    const environment = {
      DATABASE_URL: url,
      MANAGEMENT_API_KEY: MANAGEMENT_KEY,
      ...(way === 'LISTEN' ? { DATABASE_DIRECT_URL: url } : {}),
    };
    const here = await startProcess(environment);
    const there = await startProcess(environment);
    const { id, key } = await makeKey(here);
    for (let count = 0; count < 3; count++) expect(await statusOf(there, key)).toBe(200);
    expect(await statusOf(here, key)).toBe(200);
    await manage(here, `/api-keys/${id}`, 'DELETE');
    expect(await statusOf(here, key)).toBe(401);
    await sleep(1_000);
    expect(await statusOf(there, key)).toBe(401);
    expect(await Promise.all([here.stop(), there.stop()])).toEqual([0, 0]);
  },
);

async function makeKey(node: ServiceProcess): Promise<{ id: string; key: string }> {
  await manage(node, '/orgs', 'POST', { name: 'Daily Planet', slug: 'planet' });
  const project = await manage(node, '/projects', 'POST', { orgSlug: 'planet', name: 'Front page' });
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
