import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { inTurnOfUser, readAccount } from '../../src/management/accounts.sql.js';
import { readMemberAccess } from '../../src/management/members.sql.js';
import { listOrgsOf, readMembership, readOrg } from '../../src/management/orgs.sql.js';
import { checkInvitation } from '../../src/management/sessions/use-invitation.js';
import { type Database, ownerOf, type Queryable } from '../../src/platform/db/database.js';
import { openPostgres } from '../../src/platform/db/postgres.js';
import { createDatabase } from '../support/postgres.js';

const LONG = 'select pg_sleep(50) where $1::uuid is not null';
const LONG_OF_USER = 'select pg_sleep(50) where $1::text is not null';
const SOON = { timeout: 10_000, interval: 20 };

describe.skipIf(inject('postgresUrl') === '')('the connections to PostgreSQL', () => {
  let watcher: Database;
  let db: Database;

  beforeAll(async () => {
    const url = await createDatabase(inject('postgresUrl'));
    watcher = openPostgres(url, { connections: 1 });
    db = openPostgres(url);
  });
  afterAll(async () => {
    await Promise.all([db?.close(), watcher?.close()]);
  });

  const running = async () => {
    const text =
      "select pid from pg_stat_activity where state = 'active' and query like 'select pg_sleep(50)%'";
    return (await watcher.query(text)).length;
  };

  it('are never all used by one project, and abandoned statements free their connections', async () => {
    const [project, other] = [randomUUID(), randomUUID()];
    const left = Array.from({ length: 20 }, () => new AbortController());
    const asked = left.map(({ signal }) => db.query(LONG, [project], signal).catch(() => 'left'));
    await vi.waitFor(async () => expect(await running()).toBe(7), SOON);
    expect(db.connections?.()).toEqual({ running: 7, waiting: 13, refused: 0 });
    expect(await db.query('select 1 as n where $1::uuid is not null', [other])).toEqual([{ n: 1 }]);
    expect(await db.transaction((tx) => tx.query('select 2 as n'), { projectId: other })).toEqual([{ n: 2 }]);
    expect(await running()).toBe(7);
    for (const one of left) one.abort(new Error('nobody waits'));
    expect(await Promise.all(asked)).toEqual(asked.map(() => 'left'));
    await vi.waitFor(async () => expect(await running()).toBe(0), SOON);
    expect(db.connections?.()).toMatchObject({ running: 0, waiting: 0 });
  });

  it('at most seven statements of a user run at once; statements without an owner do not wait for them', async () => {
    const left = Array.from({ length: 20 }, () => new AbortController());
    const parameters = inTurnOfUser('ann', ['ann']);
    const asked = left.map(({ signal }) => db.query(LONG_OF_USER, parameters, signal).catch(() => 'left'));
    await vi.waitFor(async () => expect(await running()).toBe(7), SOON);
    expect(await db.query('select 3 as n where $1::bytea is not null', [Buffer.from('key')])).toEqual([
      { n: 3 },
    ]);
    expect(db.connections?.()).toMatchObject({ running: 7, waiting: 13 });
    for (const one of left) one.abort(new Error('nobody waits'));
    expect(await Promise.all(asked)).toEqual(asked.map(() => 'left'));
    await vi.waitFor(async () => expect(await running()).toBe(0), SOON);
  });

  it.each([
    ['the list of organisations', (db: Queryable) => listOrgsOf(db, 'ann')],
    ['an organisation', (db: Queryable) => readOrg(db, { accountId: 'ann', slug: 'org' })],
    ['a membership', (db: Queryable) => readMembership(db, { accountId: 'ann', projectId: randomUUID() })],
    ['an account', (db: Queryable) => readAccount(db, 'ann')],
    ['the access of a member', (db: Queryable) => readMemberAccess(db, randomUUID(), 'ann')],
  ])('the statement that reads %s takes turns as a statement of the user', async (_, read) => {
    const owners: string[] = [];
    await read({
      query: async (_text, parameters = []) => {
        owners.push(ownerOf(parameters));
        return [];
      },
    });
    expect(owners).toEqual(['user ann']);
  });
});

it('a check of an invitation uses the turns of the visitor’s network, not of the inviter', async () => {
  const owners: string[] = [];
  const found = { orgSlug: 'org', orgName: 'Org', role: 'viewer', madeBy: 'ann' };
  const date = new Date(0);
  const control: Queryable = {
    query: async (text, parameters = []) => {
      owners.push(ownerOf(parameters));
      if (text.includes('control.invitation')) return [found] as never;
      return [{ orgId: 'o', role: 'owner', name: 'Ann', createdAt: date, updatedAt: date }] as never;
    },
  };
  const visitor = { address: '2001:db8::1' };
  const check = await checkInvitation(control, visitor, 'token');
  expect(check).toEqual({ valid: true, orgName: 'Org', role: 'viewer', invitedBy: 'Ann' });
  expect(owners).toEqual(Array(3).fill('address 2001:db8:0:0::/64'));
});
