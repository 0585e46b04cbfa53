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

it('a batch looks up 200 entities with two statements, plus one for each new entity with a stored name', async () => {
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

/** Each entity has another wallet. The returned database counts its statements. */
async function openNamesakes(project: string, names: readonly string[], count: number) {
  const { provenance } = databases;
  await provenance.query(
    `insert into provenance.entity (project_id, id, role, body, digest, salts, created_at, leaf_index)
     select $1::uuid, name || ' ' || n, 'human',
       jsonb_build_object('id', name || ' ' || n, 'role', 'human', 'name', name, 'wallet', name || ' chain ' || n),
       '', '{}', now(), $3::int * place + n
     from unnest($2::text[]) with ordinality as names(name, place), generate_series(0, $3::int - 1) n`,
    [project, names, count],
  );
  const counts = { statements: 0 };
  const query = (...given: Parameters<Queryable['query']>) => {
    counts.statements++;
    return provenance.query(...given);
  };
  return { db: { ...provenance, query } as typeof provenance, counts };
}

it('a batch reads the stored entities of a role and name once, and compares each wallet with them', async () => {
  const project = randomUUID();
  const { db, counts } = await openNamesakes(project, ['common'], 60);
  const identifyEntity = createIdentifyEntity(databases.provenance);
  const wallets = [...Array.from({ length: 30 }, toWallet), 'common chain 7'];
  const entities = wallets.map((wallet) => ({ role: 'human', name: 'common', wallet }));
  await identifyEntity(project, { role: 'human', name: 'common', wallet: 'first' });
  const resolve = await resolveTogether({ identifyEntity, provenance: db }, project, { entities });
  const resolved = await Promise.allSettled(entities.map((_, place) => resolve(place)));
  // One statement for the ids, one for the name, and one for the entities of this name.
  expect(counts.statements).toBe(3);
  expect(resolved.at(-1)).toEqual({ status: 'fulfilled', value: 'common 7' });
  for (const one of resolved.slice(0, -1)) {
    expect(one).toMatchObject({ status: 'rejected', reason: { code: 'Conflict' } });
    expect(one).toHaveProperty('reason.details.candidates.length', 50);
  }
});

it('a batch that needs comparisons with more than 5,000 stored entities is rejected', async () => {
  const project = randomUUID();
  const names = Array.from({ length: 8 }, (_, n) => `name ${n}`);
  const { db, counts } = await openNamesakes(project, names, 1_000);
  const identifyEntity = createIdentifyEntity(databases.provenance);
  await identifyEntity(project, { role: 'human', name: 'first', wallet: 'first' });
  const entities = names.map((name) => ({ role: 'human', name, wallet: toWallet() }));
  const resolve = await resolveTogether({ identifyEntity, provenance: db }, project, { entities });
  const codes: unknown[] = [];
  for (const place of entities.keys())
    codes.push(await resolve(place).catch((error: unknown) => (error as { code: string }).code));
  const [compared, refused] = [Array(6).fill('Conflict'), Array(2).fill('PayloadTooLarge')];
  expect(codes).toEqual([...compared, ...refused]);
  expect(counts.statements).toBe(2 + compared.length);
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
    // Creates the secret from which the project derives entity ids.
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
