import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSession } from '../../src/management/sessions/session.js';
import { insertSession } from '../../src/management/sessions/sessions.sql.js';
import type { Tx } from '../../src/platform/db/database.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { openOn } from '../support/open-on.js';

const LIVE = 20_000;

describe('expired sessions', () => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await openOn('PGlite in memory');
    await databases.control.query(`insert into control.account (id) values ('local:ann')`);
    await databases.control.query(
      `insert into control.session (token_digest, account_id, way, expires_at)
       select sha256(convert_to(place::text, 'UTF8')), 'local:ann', 'password',
         now() + interval '7 days' - case when place <= 3 then interval '8 days' else interval '0' end
       from generate_series(1, ${LIVE}) place`,
    );
    await databases.control.query('analyze control.session');
  });
  afterAll(() => databases.close());

  it('are deleted at the next sign-in, without reading the other sessions', async () => {
    const pages: number[] = [];
    await databases.control.transaction(async (tx) => {
      const explaining = {
        ...tx,
        async query<Row>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
          const [plan] = await tx.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
            `explain (buffers, analyze, format json) ${text}`,
            parameters,
          );
          const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } =
            plan?.['QUERY PLAN'][0]?.Plan ?? {};
          pages.push(hit + read);
          return [{ expiresAt: new Date() }] as Row[];
        },
      } as Tx;
      const tokenDigest = createHash('sha256').update('token').digest();
      await insertSession(explaining, { tokenDigest, userId: 'local:ann', way: 'password', lifeHours: 1 });
    });
    const [{ count } = { count: 0 }] = await databases.control.query<{ count: number }>(
      'select count(*)::int as count from control.session',
    );
    expect(count).toBe(LIVE - 3 + 1);
    expect(pages[0]).toBeLessThan(50);
  });

  it('are deleted at most 200 at a time', async () => {
    await databases.control.query(
      `insert into control.session (token_digest, account_id, way, expires_at)
       select sha256(convert_to('expired ' || place, 'UTF8')), 'local:ann', 'password', now() - interval '1 day'
       from generate_series(1, 450) place`,
    );
    const left: number[] = [];
    for (const token of ['first', 'second', 'third']) {
      const tokenDigest = createHash('sha256').update(token).digest();
      const session = { tokenDigest, userId: 'local:ann', way: 'password', lifeHours: 1 };
      await databases.control.transaction((tx) => insertSession(tx, session));
      const [row] = await databases.control.query<{ count: number }>(
        'select count(*)::int as count from control.session where expires_at < now()',
      );
      left.push(row?.count ?? -1);
    }
    expect(left).toEqual([250, 50, 0]);
  });
});

describe('networks without a sign-in with a password for 30 days', () => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await openOn('PGlite in memory');
    await databases.control.query(`insert into control.account (id) values ('local:ann')`);
    await databases.control.query(
      `insert into control.sign_in_network (network, account_id, at)
       select 'network ' || place, 'local:ann',
         now() - case when place <= 450 then interval '31 days' else interval '29 days' end
       from generate_series(1, 500) place`,
    );
  });
  afterAll(() => databases.close());

  it('are deleted by sign-ins of each kind, at most 200 at a time', async () => {
    const left: number[] = [];
    for (const way of ['password', 'https://provider.example', 'password']) {
      await databases.control.transaction((tx) => startSession(tx, 'local:ann', way));
      const [row] = await databases.control.query<{ count: number }>(
        'select count(*)::int as count from control.sign_in_network',
      );
      left.push(row?.count ?? -1);
    }
    expect(left).toEqual([300, 100, 50]);
  });
});
