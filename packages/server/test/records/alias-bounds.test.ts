import { randomUUID } from 'node:crypto';
import { createContentHasher } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { ServiceError } from '../../src/errors.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { notePinned } from '../../src/records/pinning/pins.sql.js';
import { toError } from '../../src/records/write/outcome.js';
import { record } from '../../src/records/write/recording.sql.js';
import { openOn } from '../support/open-on.js';
import { recordItems, toActionItem, toEntityItem } from '../support/plain-items.js';
import { ANY_ENGINE, oneOrAll, startService } from '../support/service.js';

/** The limit of `refuse_aliases` for a transaction. */
const MOST = 1_000;

let drawn = 0;
const draw = () => `content ${++drawn}`;

function toUpload(cid: string, ...aliases: string[]) {
  const item = toActionItem({ id: randomUUID(), performedBy: 'ann', inputCids: [], outputCids: [cid] });
  const upload = { cid, aliases, contentDigest: '00', sizeBytes: 1, mimeType: 'text/plain', type: 'text' };
  return { ...item, upload };
}

describe.each(oneOrAll(['PGlite', 'PostgreSQL']))('an upload with much-used aliases, on %s', (engine) => {
  let databases: Databases;
  let project: string;

  beforeAll(async () => {
    databases = await openOn(engine);
    project = randomUUID();
    await recordItems(databases.provenance, project, [toEntityItem({ id: 'ann', role: 'human' })]);
  });
  afterAll(() => databases.close());

  const query = <Row>(text: string, parameters: readonly unknown[] = []) =>
    databases.provenance.query<Row>(text, parameters);
  const recordAll = (...items: object[]) =>
    record(
      databases.provenance,
      project,
      items.map((item) => JSON.stringify(item)),
    );

  const TABLES = {
    action_input: '(project_id, cid, action_id) select $1, $2, gen_random_uuid()',
    action_output: '(project_id, cid, action_id) select $1, $2, gen_random_uuid()',
    attribution: `(project_id, id, entity_id, cid, role, body, digest, salts, created_at, leaf_index)
      select $1, gen_random_uuid(), 'ann', $2, 'role ' || n, '{}', '', '{}', now(), 0`,
    ownership_event: `(project_id, action_id, cid, kind, leaf_index) select $1, gen_random_uuid(), $2, 'claim', n`,
  };

  /** The records themselves do not exist. */
  async function refer(cid: string, counts: Partial<Record<keyof typeof TABLES, number>>): Promise<string> {
    for (const [table, count] of Object.entries(counts))
      await query(
        `insert into provenance.${table} ${TABLES[table as keyof typeof TABLES]} from generate_series(1, $3::int) n`,
        [project, cid, count],
      );
    return cid;
  }

  const referTo = (cid: string) =>
    query<{ count: number }>(
      `select ((select count(*) from provenance.action_input where project_id = $1 and cid = $2)
         + (select count(*) from provenance.action_output where project_id = $1 and cid = $2)
         + (select count(*) from provenance.attribution where project_id = $1 and cid = $2)
         + (select count(*) from provenance.ownership_event where project_id = $1 and cid = $2))::int as count`,
      [project, cid],
    ).then(([row]) => row?.count);
  const isAlias = async (alias: string) =>
    (
      await query('select from provenance.content_alias where project_id = $1 and alias = $2', [
        project,
        alias,
      ])
    ).length > 0;

  const FEW = { action_input: 300, action_output: 300, attribution: 300, ownership_event: 100 };

  it('moves up to 1,000 references to its CID, and is refused without a write if there are more', async () => {
    const [cid, alias] = [draw(), await refer(draw(), FEW)];
    expect(await recordAll(toUpload(cid, alias))).toMatchObject([{ outcome: 'recorded' }]);
    expect([await isAlias(alias), await referTo(alias), await referTo(cid)]).toEqual([true, 0, MOST + 1]);
    const [other, used] = [draw(), await refer(draw(), { ...FEW, action_output: 301 })];
    const refusal = { outcome: 'cycle', unchecked: 'references', alias: used } as const;
    expect(await recordAll(toUpload(other, used))).toEqual([refusal]);
    expect([await isAlias(used), await referTo(used), await referTo(other)]).toEqual([false, MOST + 1, 0]);
    const error = toError(refusal);
    expect([error.code, error.message, error.recovery]).toEqual([
      'ValidationError',
      expect.stringMatching(`${used} .* more than 1,000 records`),
      expect.stringContaining(`Name the content by ${used} without sending its bytes`),
    ]);
  });

  it('is refused if all its aliases together have too many references', async () => {
    const aliases = [await refer(draw(), { action_input: 600 }), await refer(draw(), { action_input: 600 })];
    expect(await recordAll(toUpload(draw(), ...aliases))).toEqual([
      { outcome: 'cycle', unchecked: 'references', alias: aliases[1] },
    ]);
  });

  it('is refused if a few actions with much text name an alias', async () => {
    const alias = draw();
    await query(
      `with large as (
         insert into provenance.action (project_id, id, type, performed_by, inputs, outputs, body, digest, salts,
           fingerprint, recorded_at, leaf_index)
         select $1, gen_random_uuid(), 'transform', 'ann', array[$2], '{}',
           jsonb_build_object('inputCids', array[$2], 'outputCids', '{}'::text[], 'text', repeat('x', 1000000)), '', '{}',
           '', now(), 0 from generate_series(1, 5) returning id)
       insert into provenance.action_input select $1, $2, id from large`,
      [project, alias],
    );
    expect(await recordAll(toUpload(draw(), alias))).toMatchObject([{ unchecked: 'references', alias }]);
  });

  it('is refused if all uploads of its transaction together have too many references', async () => {
    const aliases = [await refer(draw(), { action_input: 600 }), await refer(draw(), { action_input: 600 })];
    const uploads = aliases.map((alias) => toUpload(draw(), alias));
    const outcomes = await recordAll(...uploads);
    const refusal = { outcome: 'cycle', unchecked: 'together', alias: aliases[1] ?? '' } as const;
    expect(outcomes).toEqual([expect.objectContaining({ outcome: 'recorded' }), refusal]);
    expect(await isAlias(refusal.alias)).toBe(false);
    const error = toError(refusal);
    expect([error instanceof ServiceError, error.code]).toEqual([true, 'PayloadTooLarge']);
    expect(await recordAll(...uploads.slice(1))).toMatchObject([{ outcome: 'recorded' }]);
  });

  it.each([
    [MOST, true],
    [MOST + 1, false],
  ])('a CID from a pinning service that %i records name becomes an alias: %s', async (count, isLinked) => {
    const [cid, pinnedAs] = [draw(), await refer(draw(), { action_input: count })];
    await recordAll(toUpload(cid));
    await query(
      'insert into provenance.pin (project_id, cid, provider, job_id) values ($1, $2, $3, gen_random_uuid())',
      [project, cid, 'service'],
    );
    await notePinned(databases.provenance, project, {
      cid,
      provider: 'service',
      pinnedAs,
      uri: 'ipfs://x',
    });
    expect(await isAlias(pinnedAs)).toBe(isLinked);
    const pins = await query('select pinned_as from provenance.pin where project_id = $1 and cid = $2', [
      project,
      cid,
    ]);
    expect(pins).toEqual([{ pinned_as: pinnedAs }]);
  });

  async function countPages(alias: string): Promise<number> {
    const [row] = await query<Record<string, [{ Plan: Record<string, number> }]>>(
      `explain (analyze, buffers, timing off, format json) select provenance.refuse_aliases($1, $2::jsonb)`,
      [project, JSON.stringify([alias])],
    );
    const { Plan: plan } = row?.['QUERY PLAN']?.[0] ?? {};
    return (plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? Number.NaN);
  }

  it('its check reads few pages for an unused alias, and a limited number for a much-used alias', async () => {
    const unused = draw();
    await countPages(unused);
    expect(await countPages(unused)).toBeLessThanOrEqual(8);
    const many = 30 * MOST;
    const alias = await refer(draw(), { action_input: many, action_output: many, attribution: many });
    expect(await countPages(alias)).toBeLessThan(5 * MOST);
  });
});

it('a large file with a much-used alias gets 422 with CID, limit and remedy, and stores no bytes', async () => {
  const service = await startService(ANY_ENGINE);
  const bytes = new Uint8Array(2 ** 20 + 1).fill(7);
  const hasher = createContentHasher();
  hasher.update(bytes);
  const { cid, aliases } = hasher.finish();
  await service.context.databases.provenance.query(
    `insert into provenance.action_input select $1, $2, gen_random_uuid() from generate_series(0, $3::int)`,
    [namedProjectId('one'), aliases[0], MOST],
  );
  const answer = await service.upload(bytes);
  const { error } = await answer.json();
  expect([answer.status, error.code]).toEqual([422, 'ValidationError']);
  expect(error.message).toContain(`CID ${aliases[0]}`);
  expect(error.message).toContain('more than 1,000 records');
  expect(error.recovery).toContain(`Name the content by ${aliases[0]}`);
  expect((await service.send(`/v1/resource/${cid}/content`)).status).toBe(404);
  await service.stop();
});
