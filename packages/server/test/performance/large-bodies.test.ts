import { randomUUID } from 'node:crypto';
import type { ComplianceReport, MarkedContents, Ownership } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkPart } from '../../src/integrity/check-part.js';
import { type IntegrityVisit, STAGES, type Stage } from '../../src/integrity/deps.js';
import { readLogSize } from '../../src/transparency-log/log.sql.js';
import { jsonPost, type Service, startService } from '../support/service.js';
import {
  actionIds,
  COUNTS,
  entityId,
  fillWithLarge,
  OTHER_ROWS,
  PERFORMER,
  PROJECT,
  SESSION,
  SHARED,
} from './fill-large.js';
import { cidOf } from './fill-store.js';
import { type ReadValues, storeUncompressed, watchToast } from './watch-toast.js';

/**
 * Maximum size of the values that one statement reads, in bytes. A response has 1 to 2 MiB of records. A statement can
 * read each value a few times.
 */
const MOST_BYTES = 8 * 2 ** 20;

let service: Service;
let read: ReadValues[];

beforeAll(async () => {
  service = await startService('PostgreSQL', {
    environment: {
      LOG_LEVEL: 'error',
      AUDIT_INTERVAL_MINUTES: '0',
      PROOF_POLICY: 'warn',
      MAX_LIST_ROWS: '10000',
    },
  });
  const { provenance } = service.context.databases;
  await storeUncompressed(provenance);
  await fillWithLarge(service);
  expect((await service.send('/v1/batch', jsonPost(REPEATED))).status).toBe(201);
  for (const statement of OTHER_ROWS) await provenance.query(statement, [PROJECT]);
  await provenance.query('vacuum analyze');
  read = watchToast(provenance);
}, 600_000);
afterAll(async () => {
  vi.restoreAllMocks();
  await service?.stop();
});

/** The beginning of each text, and the size of the values that the statement read. */
function largest(): string[] {
  return read
    .filter(({ bytes }) => bytes > MOST_BYTES)
    .map(
      ({ text, bytes }) =>
        `${(bytes / 2 ** 20).toFixed(1)} MiB: ${text.replaceAll(/\s+/g, ' ').slice(0, 160)}`,
    );
}

const many = Array.from({ length: COUNTS.entities }, (_, place) => entityId(place));
const post = (path: string, body: object) => () => service.send(path, jsonPost(body));
const get = (path: string) => () => service.send(path);

/** `beforeAll` records this batch, and then gives its outputs large extensions. */
const REPEATED = {
  actions: Array.from({ length: 30 }, (_, place) => ({
    ...{ id: randomUUID(), type: 'create', performedBy: PERFORMER },
    outputCids: Array.from({ length: 10 }, (_, output) => cidOf(`repeated ${place}.${output}`)),
  })),
};

/** A large new entity, followed by `times` entries with only its id and name. */
const toRepeatedEntity = (id: string, times: number) => {
  const text = 'b'.repeat(64_000);
  const large = { metadata: { text }, extensions: { 'ext:large@1.0.0': { text } } };
  const again = Array.from({ length: times }, () => ({ id, name: 'New' }));
  return { entities: [{ id, role: 'human', name: 'New', ...large }, ...again] };
};

const LARGE = cidOf('large 0');
const WIDE = cidOf('wide 0');
const WORK: Record<string, () => Promise<Response>> = {
  'a list of entities': get('/v1/entities?limit=200'),
  'a list of entities by role': get('/v1/entities?role=human&limit=200'),
  'a list of entities by name and role': get('/v1/entities?role=human&name=Same&limit=200'),
  'a list of entities without the first ones': get('/v1/entities?role=human&offset=150'),
  'a list of actions': get('/v1/actions?limit=200'),
  'a list of actions by two filters': get(`/v1/actions?type=create&performedBy=${PERFORMER}&limit=200`),
  'a list of attributions': get('/v1/attributions?limit=200'),
  'a list of attributions by all filters': get(
    `/v1/attributions?actionId=${actionIds[0]}&entityId=${PERFORMER}&resourceCid=${SHARED}&role=ext:r1`,
  ),
  'a list of resources': get('/v1/resources?limit=200'),
  'a list of resources by two filters': get(`/v1/resources?type=other&creator=${PERFORMER}&limit=200`),
  'a history': get(`/v1/bundle/${LARGE}?direction=both`),
  'a history of a wide action': get(`/v1/bundle/${WIDE}?direction=both&limit=1000`),
  'a history within a depth': get(`/v1/bundle/${SHARED}?direction=descendants&depth=2`),
  'a history of many wide actions': get(`/v1/bundle/${cidOf('input 0')}?direction=descendants`),
  'a graph': get(`/v1/graph/${WIDE}?direction=both`),
  'a proven bundle': get(`/v1/bundle/${LARGE}?proof=true`),
  'a proven bundle of version 1': get(`/v1/bundle/${LARGE}?proof=true&proofVersion=1`),
  'a proven bundle of a wide action': get(`/v1/bundle/${WIDE}?proof=true`),
  'a session': get(`/v1/session/${encodeURIComponent(SESSION)}/provenance`),
  shares: get(`/v1/distribution/${WIDE}?total=100`),
  'the ownership of a content': get(`/v1/resource/${SHARED}/ownership`),
  'a compliance report': get('/v1/compliance/report?limit=200'),
  'a list of marks': get('/v1/compliance/marks?limit=200'),
  'a list of publications': get('/v1/publications?limit=200'),
  'a receipt': get(`/v1/action/${actionIds[0]}/receipt`),
  'a search by a vector': post('/v1/search/vector', {
    ...{ model: 'large', vector: Array.from({ length: 4_096 }, () => 1), limit: 50 },
  }),
  'a list of entities on an unversioned route': get('/entities?limit=200'),
  'a history on an unversioned route': get(`/bundle/${WIDE}`),
  'the ownership on an unversioned route': get(`/resource/${SHARED}/ownership`),
  'a batch that names stored entities': post('/v1/batch', { entities: many.map((id) => ({ id })) }),
  'a batch of equal entities': post('/v1/batch', {
    entities: many.slice(0, 40).map((id) => ({ id, role: 'human', name: 'Same' })),
  }),
  'a batch of too many equal entities': post('/v1/batch', {
    entities: many.map((id) => ({ id, role: 'human', name: 'Same' })),
  }),
  'a batch that repeats a stored entity too often': post('/v1/batch', {
    entities: Array.from({ length: 150 }, () => ({ id: entityId(0), name: 'Same' })),
  }),
  'a batch that repeats a new entity': post('/v1/batch', toRepeatedEntity('studio:repeated', 20)),
  'a batch that repeats a new entity too often': post('/v1/batch', toRepeatedEntity('studio:often', 150)),
  'a repeated batch of actions with many outputs': post('/v1/batch', REPEATED),
  'a batch of actions of stored entities': post('/v1/batch', {
    actions: many.map((performedBy) => ({ type: 'create', performedBy })),
  }),
  'a batch of stored attributions': post('/v1/batch', {
    attributions: Array.from({ length: COUNTS.attributions }, (_, place) => ({
      ...{ entityId: PERFORMER, actionId: actionIds[0], resourceCid: SHARED, role: `ext:r${place}` },
    })),
  }),
  'an action that pays stored entities': post('/v1/action', {
    ...{ type: 'create', performedBy: PERFORMER, outputCids: [cidOf('paid')] },
    extensions: {
      'ext:payment@1.0.0': {
        recipients: many.map((entityId, place) => ({ entityId, share: place === 0 ? 10_000 : 0 })),
      },
    },
  }),
  'a new entity with the name of many': post('/v1/entity', {
    role: 'human',
    name: 'Same',
    wallet: `0x${'f'.repeat(40)}`,
  }),
  'a claim of a content with many claims': post(`/v1/resource/${SHARED}/ownership/claim`, {
    ...{ entityId: PERFORMER, evidenceType: 'self-declaration' },
  }),
  'an erasure': () => service.send(`/v1/entity/${PERFORMER}/personal-data`, { method: 'DELETE' }),
  'an erasure of stored responses': () =>
    service.send(`/v1/entity/${entityId(0)}/personal-data`, { method: 'DELETE' }),
};

const REFUSED: Record<string, number> = {
  'a batch of too many equal entities': 413,
  'a batch that repeats a stored entity too often': 413,
  'a batch that repeats a new entity too often': 413,
  'a new entity with the name of many': 409,
};

/** SHOW_COSTS=1 prints how many MiB the largest statement read. */
function show(name: string): void {
  if (process.env.SHOW_COSTS === undefined) return;
  const most = Math.max(0, ...read.map(({ bytes }) => bytes)) / 2 ** 20;
  process.stdout.write(`${name}: ${most.toFixed(1)} MiB\n`);
}

const TABLES: Partial<Record<Stage, readonly string[]>> = {
  entity: ['entity'],
  action: ['action'],
  attribution: ['attribution'],
  edge: ['action_input', 'action_output'],
  leaf: ['log_leaf'],
};

async function countRows(tables: readonly string[]): Promise<number> {
  let count = 0;
  for (const table of tables) {
    const [row] = await service.context.databases.provenance.query<{ count: number }>(
      `select count(*)::int as count from provenance.${table} where project_id = $1`,
      [PROJECT],
    );
    count += row?.count ?? 0;
  }
  return count;
}

describe('a project with large records', () => {
  it.each(Object.entries(WORK))('no statement reads many large records for %s', async (name, work) => {
    read.length = 0;
    const answer = await work();
    await answer.arrayBuffer();
    show(name);
    expect(answer.status).toBe(REFUSED[name] ?? (answer.ok ? answer.status : 200));
    expect(read).not.toEqual([]);
    expect(largest()).toEqual([]);
  });

  it('the pages of the list of marks contain each mark once in total, and the report counts all marks', async () => {
    const actions: string[] = [];
    let pages = 0;
    let cursor: string | null = null;
    do {
      const from: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const answer: Response = await service.send(`/v1/compliance/marks?limit=50${from}`);
      const page = (await answer.json()) as MarkedContents;
      actions.push(...page.contents.map(({ actionId }) => actionId));
      cursor = page.nextCursor;
      pages++;
    } while (cursor !== null);
    const marking = actionIds.filter((_, place) => place % 2 === 0);
    expect(actions).toEqual([...marking].reverse());
    expect(pages).toBeGreaterThan(1);
    const report = (await (await service.send('/v1/compliance/report')).json()) as ComplianceReport;
    expect(report.marks).toMatchObject({ total: marking.length, complete: true });
    expect(report.unmarked.aiActions).toBe(COUNTS.actions - marking.length);
  });

  it('the ownership of a content shows the newest claims, and that there are more', async () => {
    const shown = (await (await service.send(`/v1/resource/${SHARED}/ownership`)).json()) as Ownership;
    expect(shown.complete).toBe(false);
    expect(shown.history.length).toBeLessThan(COUNTS.claims);
    expect(String(shown.history.at(-1)?.recordedAt) > String(shown.history[0]?.recordedAt)).toBe(true);
    expect(JSON.stringify(shown.history).length).toBeGreaterThan(2 ** 20);
  });

  it.each(STAGES)(
    'no statement reads many large records for a step of the integrity check: %s',
    async (stage) => {
      const { databases, records } = service.context;
      const deps = { provenance: databases.provenance, blobs: records.blobs, rest: async () => {} };
      read.length = 0;
      let checked = 0;
      const size = await readLogSize(databases.provenance, PROJECT);
      const begin = { projectId: PROJECT, stage, size, newer: 0 };
      let visit: IntegrityVisit | undefined = begin;
      while (visit !== undefined) {
        const { after, count, findings } = await checkPart(deps, visit);
        expect(findings).toEqual([]);
        checked += count;
        visit = after === undefined ? undefined : { ...begin, after };
      }
      show(stage);
      const tables = TABLES[stage];
      if (tables !== undefined) expect(checked).toBe(await countRows(tables));
      expect(largest()).toEqual([]);
    },
  );
});
