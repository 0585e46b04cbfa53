import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/errors.js';
import { type Database, DatabaseError } from '../../src/platform/db/database.js';
import { openSupabase } from '../../src/platform/db/supabase/open-supabase.js';
import { runSql } from '../support/postgres-databases.js';
import { type Supabase, startSupabase } from '../support/supabase/supabase.js';

let supabase: Supabase;
let db: Database;
beforeAll(async () => {
  supabase = await startSupabase();
  await runSql(supabase.ownerUrl, 'create table provenance.scratch (n int primary key, text text)');
  db = await openSupabase({ url: `${supabase.rest.url}/`, serviceKey: supabase.serviceKey });
});
afterAll(async () => {
  await db.close();
  await supabase.stop();
});
afterEach(async () => {
  supabase.rest.intercept = undefined;
  await runSql(supabase.ownerUrl, 'delete from provenance.scratch');
});

const insert = 'insert into provenance.scratch (n, text) values ($1, $2)';
const readAll = 'select n, text from provenance.scratch order by n';

describe('a statement over REST', () => {
  it('returns JSON values like the other engines', async () => {
    const [row] = await db.query(
      `select 1::int4 as int4, 9007199254740991::int8 as int8, 0.1::float8 as float8, 'ü'::text as text, true as bool,
         null as none, $1::jsonb as json, $2::text[] as list, encode($3::bytea, 'hex') as bytes, $4::float8 is null as free`,
      ['{"a":[1,null]}', ['x', 'y"\\,{}', null, 'NULL', ''], new Uint8Array([0, 255]), null],
    );
    expect(row).toEqual({
      int4: 1,
      int8: 9_007_199_254_740_991,
      float8: 0.1,
      text: 'ü',
      bool: true,
      none: null,
      json: { a: [1, null] },
      list: ['x', 'y"\\,{}', null, 'NULL', ''],
      bytes: '00ff',
      free: true,
    });
  });

  it.each([
    `'; drop table provenance.scratch; --`,
    `$1 $$ \\' " ' E'\\x27'`,
    'colophon_statement(1)',
    '\u2028 \ud83d\ude00',
  ])('treats %j only as a value', async (text) => {
    await db.query(insert, [1, text]);
    expect(await db.query(readAll)).toEqual([{ n: 1, text }]);
  });

  it('returns the rows of a write with a `returning` clause, and no rows without this clause', async () => {
    expect(await db.query(insert, [1, 'a'])).toEqual([]);
    expect(await db.query(`${insert} returning n`, [2, 'b'])).toEqual([{ n: 2 }]);
    const moved = `with gone as (delete from provenance.scratch returning n)
      insert into provenance.scratch (n) select n + 10 from gone`;
    expect(await db.query(moved)).toEqual([]);
    expect(await db.query('select from provenance.scratch')).toEqual([{}, {}]);
  });

  it('sees commits made while it waited', async () => {
    const twice = Array.from({ length: 20 }, (_, index) =>
      db.query(`${insert} on conflict (n) do update set text = scratch.text || '.' returning text`, [
        1,
        `${index}`,
      ]),
    );
    const texts = (await Promise.all(twice)).flat() as { text: string }[];
    expect(Math.max(...texts.map(({ text }) => text.replace(/\d/g, '').length))).toBe(19);
  });

  it('reports an error with its SQLSTATE, and continues after it', async () => {
    await db.query(insert, [1, 'a']);
    const refusal = await db.query(insert, [1, 'b']).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DatabaseError);
    expect(refusal).toMatchObject({ sqlState: '23505' });
    await expect(db.query('select nonsense')).rejects.toMatchObject({ sqlState: '42703' });
    await expect(db.query('nonsense')).rejects.toMatchObject({ sqlState: '42601' });
    expect(await db.query(readAll)).toHaveLength(1);
  });
});

describe('a transaction over REST', () => {
  it('is committed whole or not at all', async () => {
    const failed = db.transaction(async (tx) => {
      await tx.query(insert, [1, 'a']);
      expect(await tx.query(readAll)).toHaveLength(1);
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    await expect(db.transaction((tx) => tx.query('select nonsense'))).rejects.toThrow(DatabaseError);
    expect(await db.query(readAll)).toEqual([]);
    const result = await db.transaction(async (tx) => {
      await tx.query(insert, [1, 'a']);
      await tx.query(insert, [2, 'b']);
      return 'done';
    });
    expect(result).toBe('done');
    expect(await db.query(readAll)).toHaveLength(2);
  });

  it('that continues after an error is not committed', async () => {
    const failed = db.transaction(async (tx) => {
      await tx.query(insert, [1, 'a']);
      await tx.query(insert, [1, 'b']).catch(() => {});
    });
    await expect(failed).rejects.toMatchObject({ sqlState: '23505' });
    expect(await db.query(readAll)).toEqual([]);
  });

  it('shows its writes to nobody before its end', async () => {
    await db.transaction(async (tx) => {
      await tx.query(insert, [1, 'a']);
      expect(await db.query(readAll)).toEqual([]);
    });
  });

  it('restarts if rows that it read changed meanwhile', async () => {
    await db.query(insert, [1, '0']);
    let runs = 0;
    await db.transaction(async (tx) => {
      runs++;
      const [row] = await tx.query<{ text: string }>(
        'select text from provenance.scratch where n = 1 for update',
      );
      if (runs === 1) await db.query(`update provenance.scratch set text = '10' where n = 1`);
      await tx.query('update provenance.scratch set text = $1 where n = 1', [String(Number(row?.text) + 1)]);
    });
    expect(runs).toBe(2);
    expect(await db.query(readAll)).toEqual([{ n: 1, text: '11' }]);
  });

  it('loses no increment when twelve transactions read and write at the same time', async () => {
    await db.query(insert, [1, '0']);
    const increment = () =>
      db.transaction(async (tx) => {
        const [row] = await tx.query<{ text: string }>(
          'select text from provenance.scratch where n = 1 for update',
        );
        await tx.query('update provenance.scratch set text = $1 where n = 1', [
          String(Number(row?.text) + 1),
        ]);
      });
    const ended = await Promise.allSettled(Array.from({ length: 12 }, increment));
    const done = ended.filter(({ status }) => status === 'fulfilled').length;
    expect(done).toBeGreaterThan(0);
    expect(await db.query(readAll)).toEqual([{ n: 1, text: String(done) }]);
    for (const one of ended)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'Unavailable' });
  });

  it('fails with Unavailable after repeated conflicts', async () => {
    await db.query(insert, [1, '0']);
    let runs = 0;
    const overtaken = db.transaction(async (tx) => {
      await tx.query('select text from provenance.scratch');
      await db.query('update provenance.scratch set text = $1', [String(++runs)]);
    });
    await expect(overtaken).rejects.toMatchObject({ code: 'Unavailable' });
    expect(runs).toBeGreaterThan(3);
  });

  it('sends concurrent statements one after the other', async () => {
    const answers = await db.transaction((tx) =>
      Promise.all([1, 2, 3].map((n) => tx.query(`${insert} returning n`, [n, null]))),
    );
    expect(answers).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    expect(await db.query(readAll)).toHaveLength(3);
  });

  it('sends nothing if it is empty', async () => {
    const { calls } = supabase.rest;
    const before = calls.length;
    expect(await db.transaction(async () => 7)).toBe(7);
    expect(calls).toHaveLength(before);
  });
});

describe('a faulty Supabase', () => {
  const page = '<!doctype html><title>502</title>';
  const failures: [string, NonNullable<Supabase['rest']['intercept']>, object][] = [
    ['a broken connection', () => 'reset', { code: 'Unavailable' }],
    ['500', () => ({ status: 500, body: '{"message":"oops"}' }), { code: 'Unavailable' }],
    ['502 and a page', () => ({ status: 502, body: page, type: 'text/html' }), { code: 'Unavailable' }],
    ['503 and nothing', () => ({ status: 503, body: '' }), { code: 'Unavailable' }],
    ['200 and a page', () => ({ status: 200, body: page, type: 'text/html' }), { code: 'Unavailable' }],
    ['200 and other JSON', () => ({ status: 200, body: '[]' }), { code: 'Unavailable' }],
    ['204 and nothing', () => ({ status: 204, body: '' }), { code: 'Unavailable' }],
    ['404 of a proxy', () => ({ status: 404, body: '[]' }), { code: 'Unavailable' }],
    ['429', () => ({ status: 429, body: '{"message":"slow down"}' }), { code: 'Unavailable' }],
    [
      'no connection to the database',
      () => ({ status: 504, body: '{"code":"PGRST003","message":"Timed out acquiring connection"}' }),
      { code: 'Unavailable' },
    ],
    [
      'a database that shuts down',
      () => ({ status: 500, body: '{"code":"57P01","message":"terminating connection"}' }),
      { code: 'Unavailable' },
    ],
    [
      'a key that expired',
      () => ({ status: 401, body: '{"code":"PGRST301","message":"JWT expired"}' }),
      { code: 'Unavailable', message: expect.stringContaining('key') },
    ],
    [
      'a schema that is gone',
      () => ({ status: 404, body: '{"code":"PGRST202","message":"Could not find the function"}' }),
      { code: 'Unavailable', message: expect.stringContaining('schema') },
    ],
    ['413', () => ({ status: 413, body: page, type: 'text/html' }), { code: 'PayloadTooLarge' }],
  ];

  it.each(failures)(
    'causes an outage or a clear error with %s, and the service continues',
    async (_what, intercept, error) => {
      supabase.rest.intercept = intercept;
      await expect(db.query(insert, [1, 'a'])).rejects.toMatchObject(error);
      await expect(db.transaction((tx) => tx.query(insert, [1, 'a']))).rejects.toMatchObject(error);
      supabase.rest.intercept = undefined;
      await db.query(insert, [1, 'a']);
      expect(await db.query(readAll)).toHaveLength(1);
    },
  );

  it.each([503, 520, 307, 308])(
    'answers a write with %i: the write is sent once, and the key to no other address',
    async (status) => {
      const { calls, url } = supabase.rest;
      const before = calls.length;
      supabase.rest.intercept = () => ({ status, body: '', location: `${url}/rest/v1/rpc/elsewhere` });
      await expect(db.query(insert, [1, 'a'])).rejects.toThrow(ServiceError);
      expect(calls).toHaveLength(before + 1);
    },
  );

  it('causes an outage when it does not answer within the timeout', async () => {
    const { rest, serviceKey } = supabase;
    const impatient = await openSupabase({ url: rest.url, serviceKey }, { timeoutMs: 2_000 });
    rest.intercept = () => 'silence';
    await expect(impatient.query('select 1')).rejects.toMatchObject({ code: 'Unavailable' });
    rest.intercept = undefined;
    expect(await impatient.query('select 1 as one')).toEqual([{ one: 1 }]);
    await impatient.close();
  });

  it('cannot put the key into an error, however it echoes the key', async () => {
    const { rest, serviceKey } = supabase;
    const body = JSON.stringify({ message: `no such key ${serviceKey}`, hint: serviceKey });
    for (const status of [400, 401, 403, 500]) {
      rest.intercept = () => ({ status, body });
      const error = await db.query('select 1').catch((caught: unknown) => caught);
      expect(texts(error)).not.toContain(serviceKey);
    }
  });
});

describe('the start with Supabase', () => {
  it('reports a wrong key', async () => {
    const wrong = { url: supabase.rest.url, serviceKey: 'sb_secret_of-somebody-else' };
    const error = await openSupabase(wrong).catch((caught: Error) => caught);
    expect((error as Error).message).toContain('rejected SUPABASE_SERVICE_KEY');
    expect(texts(error)).not.toContain(wrong.serviceKey);
  });

  it('reports that a publishable key is not the service key', async () => {
    const { rest, anonKey } = supabase;
    await expect(openSupabase({ url: rest.url, serviceKey: anonKey })).rejects.toThrow(
      'not the service role key',
    );
  });

  it('reports an address without a server, or with a server that is not Supabase', async () => {
    const nowhere = { url: 'http://127.0.0.1:9', serviceKey: supabase.serviceKey };
    await expect(openSupabase(nowhere)).rejects.toThrow('cannot reach Supabase');
    supabase.rest.intercept = () => ({ status: 200, body: '{"ok":true}' });
    const { rest, serviceKey } = supabase;
    await expect(openSupabase({ url: rest.url, serviceKey })).rejects.toThrow('is not a Supabase project');
  });
});

function texts(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.message} ${error.stack} ${JSON.stringify(error)} ${texts(error.cause ?? '')}`;
}
