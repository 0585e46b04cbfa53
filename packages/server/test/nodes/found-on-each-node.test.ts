import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createMigratedDatabase } from '../support/postgres.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { toForm } from '../support/service.js';

const AUTHORIZATION = { authorization: 'Bearer key-of-both-nodes' };
const HEARD_MS = 1_000;

let nodes: ServiceProcess[];
beforeAll(async () => {
  const environment = {
    DATABASE_URL: await createMigratedDatabase(inject('postgresUrl')),
    API_KEYS: 'key-of-both-nodes:one',
    MATCH_WAIT_MS: '10000',
  };
  nodes = await Promise.all([startProcess(environment), startProcess(environment)]);
});
afterAll(async () => {
  for (const node of nodes) await node.stop();
});

const textOf = (name: string) =>
  Array.from(
    { length: 40 },
    (_, line) => `Line ${line} of the ${name} tells who made the ${name} and when.`,
  ).join(' ');

async function record(node: ServiceProcess, text: string): Promise<string> {
  const json = { entity: { id: 'ann', role: 'human' } };
  const answer = await node.send('/v1/activity', {
    method: 'POST',
    body: toForm(text, json),
    headers: AUTHORIZATION,
  });
  expect(answer.status).toBe(201);
  return (await answer.json()).cid;
}

async function searchFor(node: ServiceProcess, text: string): Promise<string | undefined> {
  const body = new FormData();
  body.set('file', new Blob([text]), 'file');
  const answer = await node.send('/v1/search/file', { method: 'POST', body, headers: AUTHORIZATION });
  return (await answer.json()).matches[0]?.cid;
}

it('an altered copy of a text is found on each node within a second after the text was recorded', async () => {
  for (const [index, name] of ['lantern', 'harbour', 'orchard', 'violin'].entries()) {
    const text = textOf(name);
    const cid = await record(nodes[index % 2] as ServiceProcess, text);
    const deadlineMs = performance.now() + HEARD_MS;
    const altered = text.replaceAll('who made', 'whoever built').toUpperCase();
    for (const node of nodes) {
      let found: string | undefined;
      let isInTime = true;
      while (found !== cid && isInTime) {
        isInTime = performance.now() < deadlineMs;
        found = await searchFor(node, altered);
        if (found !== cid) await sleep(20);
      }
      expect(found).toBe(cid);
    }
  }
});
