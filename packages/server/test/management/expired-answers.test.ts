import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readKeptAnswer } from '../../src/management/idempotent-answers.sql.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { openOn } from '../support/open-on.js';

const EXPIRED = 40;
const requestOf = (letter: string) => ({ scope: letter.repeat(64), fingerprint: letter.repeat(64) });

describe.each(['PGlite', 'PostgreSQL'])('expired responses, on %s', (engine) => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await openOn(engine);
  });
  afterAll(() => databases.close());

  const count = async () => {
    const [row] = await databases.control.query<{ count: number }>(
      'select count(*)::int as count from control.idempotency',
    );
    return row?.count;
  };

  it('are deleted 16 at a time, and a request does not wait for the deletion by another one', async () => {
    await databases.control.query(
      `insert into control.idempotency (scope, fingerprint, answer, at)
       select sha256(place::text::bytea), '', '{}', now() - interval '2 days' from generate_series(1, ${EXPIRED}) place`,
    );
    const { transaction } = databases.control;
    await transaction(async (first) => {
      expect(await readKeptAnswer(first, requestOf('a'))).toBeUndefined();
      // The embedded engine runs one transaction at a time.
      if (engine !== 'PostgreSQL') return;
      await transaction(async (second) => {
        await second.exec(`set local lock_timeout = '5s'`);
        expect(await readKeptAnswer(second, requestOf('b'))).toBeUndefined();
      });
    });
    expect(await count()).toBe(EXPIRED - (engine === 'PostgreSQL' ? 32 : 16));
    await transaction((tx) => readKeptAnswer(tx, requestOf('c')));
    expect(await count()).toBe(Math.max(0, EXPIRED - (engine === 'PostgreSQL' ? 48 : 32)));
  });
});
