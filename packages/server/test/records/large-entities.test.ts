import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { chooseDriver } from '../../src/records/read/lists.sql.js';
import { readNamesakes, readWallets } from '../../src/records/read/records.sql.js';
import { openOn } from '../support/open-on.js';
import { oneOrAll } from '../support/service.js';

const ENTITIES = 300;
const BODY_BYTES = 100_000;

describe.each(oneOrAll(['PGlite', 'PostgreSQL']))('large entities of one role and name, on %s', (engine) => {
  let databases: Databases;
  const projectId = randomUUID();
  beforeAll(async () => {
    databases = await openOn(engine);
    await databases.provenance.query(
      `insert into provenance.entity (project_id, id, role, body, digest, salts, created_at, leaf_index)
       select $1::uuid, 'entity ' || n, 'human',
         jsonb_build_object('id', 'entity ' || n, 'role', 'human', 'name', 'x', 'wallet', '0x' || n, 'metadata', repeat('m', ${BODY_BYTES})),
         '', '{}', now(), n from generate_series(1, ${ENTITIES}) n`,
      [projectId],
    );
  });
  afterAll(() => databases.close());

  it('a comparison of wallets ends after 1 MiB of entity bodies', async () => {
    const found = await readNamesakes(databases.provenance, projectId, {
      role: 'human',
      name: 'x',
      wallets: ['0x0'],
    });
    expect(found).toHaveLength(Math.ceil(2 ** 20 / BODY_BYTES));
    expect(found.every(({ isCut }) => isCut)).toBe(true);
  });

  it('a check of recipients reads 1 MiB of bodies in each statement', async () => {
    const ids = Array.from({ length: ENTITIES }, (_, place) => `entity ${place + 1}`);
    let statements = 0;
    const counted = {
      query: (<Row>(text: string, parameters?: readonly unknown[]) => {
        statements++;
        return databases.provenance.query<Row>(text, parameters);
      }) as Databases['provenance']['query'],
    };
    const wallets = await readWallets(counted, projectId, [...ids, 'absent']);
    const inOne = Math.ceil(2 ** 20 / BODY_BYTES);
    expect(statements).toBe(Math.ceil(ENTITIES / inOne));
    expect([wallets.size, wallets.get('entity 7')]).toEqual([ENTITIES, true]);
  });

  it('a list by role and name reads the index of names, which needs no body', async () => {
    const part = { name: 'entities', filters: { role: 'human', name: 'x' }, after: undefined } as const;
    expect(await chooseDriver(databases.provenance, projectId, part)).toBe('name');
  });
});
