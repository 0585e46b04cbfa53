import { afterAll, beforeAll, expect, it } from 'vitest';
import { createNamedProjectKey } from '../../src/access/create-key.js';
import { ANY_ENGINE, KEY, OTHER_KEY, type Service, startService } from '../support/service.js';
import { type Call, callsOf } from './calls.js';
import { type ManagedWorld, makeManagedWorld } from './managed-world.js';
import { NO_PAGE_WORLD } from './page-world.js';
import { sendCall } from './send-call.js';
import { recordWorld, type World } from './world.js';

function writesOf(world: World, managed: ManagedWorld): [name: string, call: Call][] {
  return Object.entries(callsOf({ world, managed, page: NO_PAGE_WORLD, tooLarge: new Uint8Array() }))
    .filter(([, calls]) => calls.some(({ status, as }) => status === 403 && as === 'reader'))
    .map(([name, calls]) => [name, calls.find(({ status }) => status < 300) as Call]);
}

const WRITES = writesOf(
  { cursors: {} } as World,
  { spareKeyIds: ['', ''], webhookIds: ['', ''] } as unknown as ManagedWorld,
).map(([name]) => name);

let service: Service;
let writes: Map<string, Call>;
let boundKey: string;

beforeAll(async () => {
  service = await startService(ANY_ENGINE);
  const world = await recordWorld(service, KEY);
  // Project `one` has already recorded its own signed file.
  const { signed } = await recordWorld(service, OTHER_KEY);
  writes = new Map(writesOf({ ...world, signed }, await makeManagedWorld(service)));
  const options = {
    projectName: 'one',
    name: 'bound',
    permission: 'write',
    entityId: 'nobody else',
  } as const;
  boundKey = (await createNamedProjectKey(service.context.databases.control, options)).key;
});
afterAll(() => service.stop());

it('the list of this test contains more than ten operations that record', () => {
  expect(WRITES.length).toBeGreaterThan(10);
});

it.each(WRITES)('%s: rejects a key that is bound to another entity, and records nothing', async (name) => {
  const sizeOfLog = async () => (await (await service.send('/v1/log')).json()).size;
  const call = writes.get(name) as Call;
  const method = name.split(' ')[0] ?? '';
  const before = await sizeOfLog();
  const answer = await sendCall(service.base, { ...call, method, key: boundKey });
  expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('Forbidden')]);
  expect(await sizeOfLog()).toBe(before);
});
