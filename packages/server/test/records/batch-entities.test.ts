import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Queryable } from '../../src/platform/db/database.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { resolveTogether } from '../../src/records/read/resolve-entity.js';
import { createIdentifyEntity } from '../../src/records/write/entity-ids.js';
import { openOn } from '../support/open-on.js';
import { recordItems, toEntityItem } from '../support/plain-items.js';

let databases: Databases;
beforeAll(async () => {
  databases = await openOn('PGlite');
});
afterAll(() => databases.close());

const toWallet = () => `0x${randomBytes(20).toString('hex')}`;

it('a batch finds entities with two statements per 200, and one more per new one whose name is stored', async () => {
  const { provenance } = databases;
  const project = randomUUID();
  const identifyEntity = createIdentifyEntity(provenance);
  const fresh = Array.from({ length: 450 }, (_, n) => ({ role: 'human', name: `n${n}`, wallet: toWallet() }));
  const [first] = fresh;
  const known = { role: 'human', name: 'known', wallet: toWallet() };
  const bare = { role: 'human', name: 'bare', wallet: toWallet() };
  const knownId = await identifyEntity(project, known);
  await recordItems(provenance, project, [
    toEntityItem({ id: knownId, ...known }),
    toEntityItem({ id: 'bo', role: 'human', name: 'bare' }),
  ]);
  let statements = 0;
  const counted = {
    ...provenance,
    query: (...given: Parameters<Queryable['query']>) => {
      statements++;
      return provenance.query(...given);
    },
  } as typeof provenance;
  const entities = [...fresh, known, bare, { role: 'ai', name: 'no wallet' }];
  const resolve = await resolveTogether({ identifyEntity, provenance: counted }, project, { entities });
  const resolved = await Promise.allSettled(entities.map((_, place) => resolve(place)));
  // Three statements for the ids, three for the names, and one for the name `bare`.
  expect(statements).toBe(7);
  expect(resolved[0]).toEqual({ status: 'fulfilled', value: await identifyEntity(project, first ?? known) });
  expect(resolved.at(-3)).toEqual({ status: 'fulfilled', value: knownId });
  expect(resolved.at(-2)).toMatchObject({
    reason: { code: 'Conflict', details: { candidates: [{ id: 'bo', wallet: null }] } },
  });
  expect(resolved.filter(({ status }) => status === 'fulfilled')).toHaveLength(entities.length - 1);
});

it.each([0, 1, 3, 4, 5])(
  'an aborted search for the entities of a batch ends after statement %i',
  async (last) => {
    const { provenance } = databases;
    const project = randomUUID();
    const identifyEntity = createIdentifyEntity(provenance);
    const entities = Array.from({ length: 450 }, (_, n) => ({
      role: 'human',
      name: `n${n}`,
      wallet: toWallet(),
    }));
    // Creates the secret from which the project derives entity ids, so that the search below sends no statement for it.
    await identifyEntity(project, { role: 'human', name: 'first', wallet: toWallet() });
    const left = new AbortController();
    if (last === 0) left.abort();
    let statements = 0;
    const counted = {
      ...provenance,
      query: (...given: Parameters<Queryable['query']>) => {
        statements++;
        if (statements === last) left.abort();
        return provenance.query(...given);
      },
    } as typeof provenance;
    const found = resolveTogether({ identifyEntity, provenance: counted }, project, {
      entities,
      signal: left.signal,
    });
    await expect(found).rejects.toThrow(/abort/);
    expect(statements).toBe(last);
  },
);
