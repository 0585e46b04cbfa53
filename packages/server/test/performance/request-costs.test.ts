import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonPost, type Service, startService } from '../support/service.js';
import {
  type Cost,
  type CountedDatabase,
  type CountedPostgres,
  REQUESTS,
  startCountedPostgres,
} from './counted-postgres.js';
import { addUnrelated, cidOf, type Inputs, POPULAR } from './fill-store.js';

const PERFORMER = 'ai:counted';
const FEW = 1_000;
/** From about 40,000 rows on, an index has one more level. */
const MANY = process.env.LONG_TESTS ? 200_000 : 60_000;
/** With this many outputs, a sort of complete actions would not fit into `work_mem`. */
const MANY_OUTPUTS = 400;
const FILL_TIMEOUT_MS = 300_000;

const KINDS: readonly Inputs[] = ['one popular input', 'diverse inputs'];
const SIZES = [FEW, MANY];

let postgres: CountedPostgres;
const stores = new Map<string, Store>();

interface Store {
  service: Service;
  database: CountedDatabase;
  actionIds: string[];
}

beforeAll(async () => {
  postgres = await startCountedPostgres();
  for (const inputs of KINDS)
    for (const count of SIZES) stores.set(`${count}, ${inputs}`, await openStore(count, inputs));
}, FILL_TIMEOUT_MS);

afterAll(async () => {
  for (const { service } of stores.values()) await service.stop();
  await postgres?.stop();
});

/** Allowed growth of the pages: one more level of an index, which a list visits for each row. */
const GROWTH = 1.3;
const GROWTH_OF_LIST = 1.5;
const MORE_PAGES = 3;

/** Maximum cost of each request. `pages` is for a small store. `index` counts the requests. */
const REQUESTS_AND_BOUNDS: Record<
  string,
  {
    atMost: Omit<Cost, 'temporaryPages'>;
    growth?: number;
    send: (store: Store, index: number) => Promise<void>;
  }
> = {
  'an entity': {
    atMost: { roundTrips: 1, statements: 1, plans: 0, pages: 3 },
    send: (store) => read(store, `/v1/entity/${PERFORMER}`),
  },
  'an action': {
    atMost: { roundTrips: 1, statements: 1, plans: 0, pages: 5 },
    send: (store, index) => read(store, `/v1/action/${store.actionIds[index]}`),
  },
  'a bundle of 3 actions for the first time': {
    atMost: { roundTrips: 1, statements: 1, plans: 0, pages: 66 },
    send: (store, index) => read(store, `/v1/bundle/${cidOf(`end ${index}`)}`),
  },
  'the same bundle again': {
    atMost: { roundTrips: 1, statements: 1, plans: 0, pages: 3 },
    send: (store) => read(store, `/v1/bundle/${cidOf('end 0')}`),
  },
  'a page of a list for the first time': {
    atMost: { roundTrips: 1, statements: 1, plans: 0, pages: 120 },
    growth: GROWTH_OF_LIST,
    send: (store, index) => read(store, `/v1/actions?limit=${20 + index}`),
  },
  'the same page again': {
    atMost: { roundTrips: 1, statements: 1, plans: 0, pages: 3 },
    send: (store) => read(store, '/v1/actions?limit=10'),
  },
  'a receipt': {
    atMost: { roundTrips: 3, statements: 3, plans: 0, pages: 18 },
    send: (store, index) => read(store, `/v1/action/${store.actionIds[index]}/receipt`),
  },
  'the same receipt again': {
    atMost: { roundTrips: 1, statements: 1, plans: 0, pages: 1 },
    send: (store) => read(store, `/v1/action/${store.actionIds[0]}/receipt`),
  },
  'recording an action whose input many actions use': {
    atMost: { roundTrips: 1, statements: 1, plans: 0, pages: 73 },
    send: async ({ service }, index) => {
      await record(service, [POPULAR, cidOf(`end ${index}`)], [cidOf(`popular ${index}`)]);
    },
  },
  'recording an action whose input few actions use': {
    atMost: { roundTrips: 1, statements: 1, plans: 0, pages: 71 },
    send: async ({ service }, index) => {
      await record(service, [cidOf(`end ${index}`)], [cidOf(`diverse ${index}`)]);
    },
  },
  'recording a file': {
    atMost: { roundTrips: 2, statements: 2, plans: 0, pages: 85 },
    send: upload,
  },
  'recording an action with many outputs': {
    atMost: { roundTrips: 1, statements: 1, plans: 0, pages: 7_000 },
    send: async ({ service }, index) => {
      const outputs = Array.from({ length: MANY_OUTPUTS }, (_, place) =>
        cidOf(`output ${place} of ${index}`),
      );
      await record(service, [], outputs);
    },
  },
};

describe.each(Object.entries(REQUESTS_AND_BOUNDS))('%s', (name, { atMost, send, growth = GROWTH }) => {
  const costs = new Map<string, Cost>();
  const costOf = (count: number, inputs: Inputs) => costs.get(`${count}, ${inputs}`) as Cost;

  beforeAll(async () => {
    for (const [place, store] of stores)
      costs.set(place, await store.database.count((index) => send(store, index)));
  }, FILL_TIMEOUT_MS);

  it.each(KINDS)(
    'stays within its limits of round trips, statements and plans, without files for sorts: %s',
    (inputs) => {
      for (const count of SIZES) {
        const { pages: _, temporaryPages, ...cost } = costOf(count, inputs);
        expect.soft(temporaryPages, `temporary pages among ${count}`).toBe(0);
        for (const [part, value] of Object.entries(cost))
          expect
            .soft(value, `${part} among ${count}`)
            .toBeLessThanOrEqual(atMost[part as keyof typeof atMost]);
      }
    },
  );

  it.each(KINDS)(
    'reads few pages, and only slightly more pages in a store with many records: %s',
    (inputs) => {
      const [few, many] = [costOf(FEW, inputs).pages, costOf(MANY, inputs).pages];
      expect.soft(few).toBeLessThanOrEqual(atMost.pages);
      expect.soft(many).toBeLessThanOrEqual(few * growth + MORE_PAGES);
    },
  );

  // SHOW_COSTS=1 prints the counts, for the choice of bounds.
  afterAll(() => {
    if (process.env.SHOW_COSTS === undefined) return;
    for (const [store, cost] of costs) process.stdout.write(`${name}, ${store}: ${JSON.stringify(cost)}\n`);
  });
});

async function read({ service }: Store, path: string): Promise<void> {
  const answer = await service.send(path);
  expect(answer.status).toBe(200);
  await answer.arrayBuffer();
}

async function upload({ service }: Store): Promise<void> {
  const json = { entity: { id: PERFORMER, role: 'ai' }, action: { type: 'create' } };
  const answer = await service.upload(randomBytes(10_240), json);
  expect(answer.status).toBe(201);
  await answer.arrayBuffer();
}

/** The histories have three actions and share the first one. */
async function openStore(count: number, inputs: Inputs): Promise<Store> {
  const database = await postgres.createDatabase(`${inputs}_${count}`);
  const service = await startService('PostgreSQL', { environment: { DATABASE_URL: database.url } });
  await service.send('/v1/entity', jsonPost({ id: PERFORMER, role: 'ai' }));
  await record(service, [], [POPULAR]);
  const actionIds = [];
  for (let index = 0; index < REQUESTS; index++) {
    await record(service, [POPULAR], [cidOf(`middle ${index}`)]);
    actionIds.push(await record(service, [cidOf(`middle ${index}`)], [cidOf(`end ${index}`)]));
  }
  await addUnrelated(database.url, { count, inputs });
  return { service, database, actionIds };
}

async function record({ send }: Service, inputCids: string[], outputCids: string[]): Promise<string> {
  const action = { type: 'transform', performedBy: PERFORMER, inputCids, outputCids };
  const answer = await send('/v1/action', jsonPost(action));
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { actionId: string }).actionId;
}
