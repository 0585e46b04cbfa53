import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Queryable } from '../../src/platform/db/database.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { createFairLimit, type FairLimit } from '../../src/platform/work/limit-concurrency.js';
import { listRecords, type Page } from '../../src/records/read/list-records.js';
import { openOn } from '../support/open-on.js';
import { openScheduler } from '../support/scheduler.js';
import { oneOrAll } from '../support/service.js';

const PROJECT = '01a20168-21fc-71bd-be7b-a2bb5c39a7ee';
const COUNT = 5_500;
const STEP = 1_000;
const RARE = 1_300;

interface Run {
  signal?: AbortSignal;
  maxListRows?: number;
  limitLists?: FairLimit;
  hasOtherRequests?: () => boolean;
  onStatement?: (statements: number) => void;
}

describe.each(oneOrAll(['PGlite', 'PostgreSQL']))('the steps of a list, on %s', (engine) => {
  let databases: Databases;
  /** Newest first. */
  let ids: string[];

  beforeAll(async () => {
    databases = await openOn(engine);
    // Of two records with the same time, the record with the greater id is the newer one.
    await databases.provenance.query(
      `insert into provenance.attribution (project_id, id, entity_id, action_id, cid, role, body, digest,
         salts, created_at, leaf_index)
       select $1::uuid, md5('attribution' || n)::uuid, 'entity ' || n % 2, md5('action' || n)::uuid, 'content', case n % 1000 when 100 then 'large' else 'role ' || n % ${RARE} end,
         jsonb_build_object('id', md5('attribution' || n)::uuid,
           'text', case n % 1000 when 100 then repeat('x', 300000) end), '', '{}',
         '2026-01-01T00:00:00Z'::timestamptz + (n / 3) * interval '1 second', n from generate_series(1, ${COUNT}) n`,
      [PROJECT],
    );
    await databases.provenance.query(
      `insert into provenance.action (project_id, id, type, performed_by, inputs, outputs, body, digest, salts, fingerprint,
         recorded_at, leaf_index)
       select $1::uuid, md5('action' || n)::uuid, 'type ' || n % 2, 'performer ' || n % 2, '{}', '{}', '{}', '', '{}', '',
         '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second', n from generate_series(1, ${COUNT}) n`,
      [PROJECT],
    );
    const rows = await databases.provenance.query<{ id: string }>(
      'select id from provenance.attribution where project_id = $1 order by created_at desc, id desc',
      [PROJECT],
    );
    ids = rows.map(({ id }) => id);
  });
  afterAll(() => databases.close());

  async function read(
    page: Page,
    { maxListRows = 200_000, onStatement, ...run }: Run = {},
    name = 'attributions',
  ) {
    let statements = 0;
    let firstBytes = 0;
    const reads: Queryable = {
      async query(text, parameters, signal) {
        const rows = await databases.provenance.query(text, parameters, signal);
        statements++;
        if (statements === 1) firstBytes = JSON.stringify(rows).length;
        onStatement?.(statements);
        return rows as never;
      },
    };
    const scheduler = openScheduler();
    const inQueue = vi.spyOn(scheduler, 'run');
    const { signal = new AbortController().signal } = run;
    const request = { name: name as 'attributions', page, signal };
    const { limitLists = limitTo(2), hasOtherRequests = () => false } = run;
    const deps = { reads, scheduler, maxListRows, limitLists, hasOtherRequests };
    const { text } = await listRecords(deps, PROJECT, request);
    const answer = JSON.parse(text);
    const found: string[] = answer[name].map(({ id }: { id: string }) => id);
    const { count, nextCursor } = answer as { count: number; nextCursor: string | null };
    expect(count).toBe(found.length);
    return { ids: found, nextCursor, statements, firstBytes, turns: inQueue.mock.calls.length };
  }

  const idsOfRole = async (role: string) => {
    const rows = await databases.provenance.query<{ id: string }>(
      'select id from provenance.attribution where project_id = $1 and role = $2 order by created_at desc, id desc',
      [PROJECT, role],
    );
    return rows.map(({ id }) => id);
  };

  it('many lists of a project are read a few at a time while other projects have requests', async () => {
    const limitLists = limitTo(2);
    let most = 0;
    const onStatement = () => {
      most = Math.max(most, limitLists.counts().running);
    };
    const pages = await Promise.all(
      Array.from({ length: 8 }, (_, offset) =>
        read({ filters: {}, limit: 3, offset }, { limitLists, onStatement, hasOtherRequests: () => true }),
      ),
    );
    expect(pages.map((page) => page.ids.length)).toEqual(new Array(8).fill(3));
    expect(most).toBe(2);
  });

  it('a filter without an index reads 1,000 records at once, and more records in steps in the fair queue', async () => {
    const statements: number[] = [];
    const onStatement = (count: number) => statements.push(count);
    const page = await read({ filters: { role: 'ext:none' }, limit: 50 }, { onStatement });
    expect(page).toMatchObject({ ids: [], nextCursor: null, turns: 1 });
    expect(statements).toHaveLength(Math.ceil(COUNT / STEP));
  });

  it.each([
    ['actions', { type: 'type 0', performedBy: 'performer 1' }],
    ['attributions', { entityId: 'entity 0', resourceCid: 'content', role: 'ext:none' }],
  ])('a list without results reads the half of the %s that one filter matches', async (name, filters) => {
    const page = await read({ filters, limit: 50 }, {}, name);
    expect(page).toMatchObject({
      ids: [],
      nextCursor: null,
      turns: 1,
      statements: 1 + Math.ceil(COUNT / 2 / STEP),
    });
  });

  it('a page ends after `maxListRows` compared records, and its cursor leads to the next page', async () => {
    const filters = { role: 'role 7' };
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await read({ filters, limit: 50, cursor }, { maxListRows: 2_000 });
      expect(page.statements).toBeLessThanOrEqual(2);
      pages.push(page.ids);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(pages).toHaveLength(3);
    expect(pages.flat()).toEqual(await idsOfRole('role 7'));
  });

  it('a page ends after a quarter of `maxListRows` if it looks for a word that many titles have', async () => {
    await databases.provenance.query(
      `insert into provenance.resource (project_id, cid, type, root_action, created_at, mime_type)
       select $1::uuid, 'cid ' || n, 'text', md5('root' || n)::uuid, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second',
         'text/plain' from generate_series(1, ${COUNT}) n`,
      [PROJECT],
    );
    await databases.provenance.query(
      `insert into provenance.title_word (project_id, cid, word)
       select $1::uuid, 'cid ' || n, 'common' from generate_series(1, ${COUNT}) n`,
      [PROJECT],
    );
    const readAll = (filters: Page['filters']) =>
      read(
        { filters: { mimeType: 'image/png', ...filters }, limit: 50 },
        { maxListRows: 2_000 },
        'resources',
      );
    const untitled = await readAll({});
    const titled = await readAll({ titleWord0: 'com' });
    expect([untitled, titled]).toMatchObject([
      { ids: [], statements: 2, nextCursor: expect.any(String) },
      { ids: [], statements: 2, turns: 1, nextCursor: expect.any(String) },
    ]);
  });

  it('a list in pages of one record returns every matching record, although several steps read it', async () => {
    const filters = { role: 'role 7', entityId: 'entity 1' };
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await read({ filters, limit: 1, cursor });
      expect(page.ids.length).toBeLessThanOrEqual(1);
      seen.push(...page.ids);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    const all = await idsOfRole('role 7');
    // `RARE` is even, so each record with `role 7` has an odd number, and its entity is `entity 1`.
    expect(seen).toEqual(all);
    expect(all.length).toBeGreaterThan(3);
  });

  it('a page reads at most 128 KiB immediately, and the rest of the step in the fair queue', async () => {
    const long = await read({ filters: {}, limit: 500 });
    expect(long).toMatchObject({ ids: ids.slice(0, 500), turns: 1, statements: 2 });
    const skipping = await read({ filters: {}, limit: 10, offset: 395 });
    expect(skipping).toMatchObject({ ids: ids.slice(395, 405), turns: 1, statements: 2 });
  });

  it('a page reads a record of more than 128 KiB in the fair queue, even as its first record', async () => {
    const [large = ''] = await idsOfRole('large');
    const offset = ids.indexOf(large);
    for (const page of [{ offset }, { offset: offset - 1 }]) {
      const answer = await read({ filters: {}, limit: 3, ...page }, { maxListRows: STEP });
      expect(answer).toMatchObject({ ids: ids.slice(page.offset, page.offset + 3), turns: 1, statements: 2 });
      expect(answer.firstBytes).toBeLessThan(10_000);
    }
  });

  it('a full page before a record of more than 128 KiB does not wait in the queue', async () => {
    const [large = ''] = await idsOfRole('large');
    const offset = ids.indexOf(large) - 3;
    const answer = await read({ filters: {}, limit: 3, offset });
    expect(answer).toMatchObject({ ids: ids.slice(offset, offset + 3), turns: 0, statements: 1 });
    const next = await read({ filters: {}, limit: 1, cursor: answer.nextCursor ?? '' });
    expect(next.ids).toEqual([large]);
  });

  it('a page of large records ends at about 1 MiB, although several steps read it', async () => {
    const filters = { role: 'large' };
    const first = await read({ filters, limit: 50 });
    const second = await read({ filters, limit: 50, cursor: first.nextCursor ?? '' });
    expect([first.ids.length, second.ids.length, second.nextCursor]).toEqual([3, 3, null]);
    expect([...first.ids, ...second.ids]).toEqual(await idsOfRole('large'));
  });

  it('a page whose records are in one step does not wait in the queue', async () => {
    const all = await read({ filters: {}, limit: 200 });
    expect(all).toMatchObject({ ids: ids.slice(0, 200), turns: 0, statements: 1 });
    const skipped = await read({ filters: {}, limit: 50, offset: 900 });
    expect(skipped).toMatchObject({ ids: ids.slice(900, 950), turns: 0, statements: 1 });
  });

  it.each([999, 1_000, 1_001, 4_321, 5_480, 5_500, 9_000])(
    'an offset skips %i records in steps',
    async (offset) => {
      const page = await read({ filters: {}, limit: 30, offset });
      expect(page.ids).toEqual(ids.slice(offset, offset + 30));
      expect(page.nextCursor === null).toBe(offset + 30 >= COUNT);
      expect(page.turns).toBe(1);
      expect(page.statements).toBeLessThanOrEqual(Math.floor(offset / STEP) + 2);
    },
  );

  it('an offset that would need more than `maxListRows` records is rejected', async () => {
    const request = read({ filters: { role: 'ext:none' }, limit: 5, offset: 3_000 }, { maxListRows: 3_000 });
    await expect(request).rejects.toMatchObject({
      code: 'InvalidField',
      message: expect.stringContaining('MAX_LIST_ROWS'),
      recovery: expect.stringContaining('cursor'),
    });
  });

  it('no further step is read after the caller has disconnected', async () => {
    const leaving = new AbortController();
    const gone = new Error('The caller has disconnected.');
    let statements = 0;
    const onStatement = (count: number) => {
      statements = count;
      if (count === 2) leaving.abort(gone);
    };
    const request = read(
      { filters: { role: `ext:${randomUUID()}` }, limit: 5 },
      { signal: leaving.signal, onStatement },
    );
    await expect(request).rejects.toBe(gone);
    expect(statements).toBe(2);
  });
});

function limitTo(atOnceOfOne: number) {
  return createFairLimit({ atOnce: Number.POSITIVE_INFINITY, atOnceOfOne });
}
