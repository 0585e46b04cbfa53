import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Database, toTx } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import { openDatabases } from '../../src/db/open-databases.js';
import type { Described } from '../../src/search/descriptor.js';
import {
  adoptVectorIndex,
  readVectorSearch,
  toDescriptorRow,
  writeDescriptor,
} from '../../src/search/descriptors.sql.js';
import { readNearest } from '../../src/search/nearest.sql.js';
import { dot, normalise } from '../../src/search/vector.js';
import { createDatabase } from '../support/postgres.js';

const PROJECTS = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b'] as const;
const METHOD = 'image-512/1';

/** Unit vectors around a few centres, the same in every run. */
function makeVectors(count: number): Float32Array[] {
  let state = 12345;
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648 - 0.5;
  };
  const centres = Array.from({ length: 10 }, () => Array.from({ length: 512 }, next));
  return Array.from({ length: count }, (_, index) =>
    Float32Array.from(
      normalise(
        (centres[index % 10] ?? []).map((value) => value + next()),
        1,
      ),
    ),
  );
}

function ask(turned: Float32Array[], limit: number): { described: Described; limit: number } {
  const [vector = new Float32Array()] = turned;
  return { described: { method: METHOD, vector, evidence: new Uint8Array(), turned }, limit };
}

async function openWithVector(): Promise<Database> {
  const engine = await PGlite.create({ extensions: { vector } });
  const session = (from: Pick<PGlite, 'query' | 'exec'>) =>
    toTx({
      query: async <Row>(text: string, parameters: readonly unknown[] = []) =>
        (await from.query<Row>(text, [...parameters])).rows,
      exec: async (sql) => void (await from.exec(sql)),
    });
  const db: Database = {
    engine: 'pglite',
    query: session(engine).query,
    transaction: (run) => engine.transaction((tx) => run(session(tx))),
    close: () => engine.close(),
  };
  await migrate(db, 'provenance');
  return db;
}

const ENGINES: Record<string, () => Promise<Database>> = {
  'PGlite with pgvector': openWithVector,
  PGlite: async () => (await openDatabases({ kind: 'memory' })).provenance,
  PostgreSQL: async () => {
    const url = await createDatabase(inject('postgresUrl'));
    return (await openDatabases({ kind: 'postgresql', url, directUrl: undefined })).provenance;
  },
};

describe.each(Object.entries(ENGINES))('the nearest vectors, on %s', (engine, open) => {
  const vectors = makeVectors(400);
  let db: Database;
  beforeAll(async () => {
    db = await open();
    await adoptVectorIndex(db);
    for (const [index, vector] of vectors.entries()) {
      const project = PROJECTS[index % 20 === 0 ? 1 : 0];
      const row = toDescriptorRow(`c${index}`, {
        method: METHOD,
        vector,
        evidence: Uint8Array.of(index % 256),
      });
      await db.query(
        `insert into provenance.resource (project_id, cid, type, root_action, created_at)
         values ($1, $2, 'image', gen_random_uuid(), now())`,
        [project, row.cid],
      );
      await writeDescriptor(db, project, row);
    }
  });
  afterAll(() => db.close());

  const ofProject = (which: 0 | 1) =>
    vectors
      .map((vector, index) => ({ vector, cid: `c${index}`, index }))
      .filter(({ index }) => (index % 20 === 0 ? 1 : 0) === which);

  it('says how it searches', async () => {
    expect(await readVectorSearch(db)).toMatch(
      engine === 'PGlite with pgvector'
        ? /^pgvector [\d.]+, HNSW$/
        : /^(exact search|pgvector [\d.]+, HNSW)$/,
    );
    expect(await adoptVectorIndex(db)).toBe(await readVectorSearch(db));
  });

  it.runIf(engine === 'PGlite with pgvector')('are compared with all before pgvector 0.8', async () => {
    const setVersion = (version: string) =>
      db.query(`update pg_extension set extversion = $1 where extname = 'vector'`, [version]);
    const how = await readVectorSearch(db);
    await setVersion('0.7.4');
    expect(await readVectorSearch(db)).toBe('exact search');
    await setVersion('0.10.0');
    expect(await readVectorSearch(db)).toBe('pgvector 0.10.0, HNSW');
    await setVersion(how.replace(/^pgvector ([\d.]+).*$/, '$1'));
    expect(await readVectorSearch(db)).toBe(how);
  });

  it.each([0, 1] as const)('are those of a full comparison, and of the project alone (%i)', async (which) => {
    const stored = ofProject(which);
    for (const asked of [vectors[3], vectors[20], vectors[57]]) {
      if (asked === undefined) throw new Error('no vector');
      const expected = stored
        .map(({ cid, vector }) => ({ cid, cosine: dot(vector, asked) }))
        .sort((a, b) => b.cosine - a.cosine)
        .slice(0, 5);
      const found = await readNearest(db, PROJECTS[which], ask([asked], 5));
      expect(found.map(({ cid }) => cid)).toEqual(expected.map(({ cid }) => cid));
      for (const [index, { cosine }] of found.entries()) {
        expect(cosine).toBeCloseTo(expected[index]?.cosine ?? 0, 4);
      }
    }
  });

  it('are found for each of several vectors, with what they are checked by', async () => {
    const [one, two] = [ofProject(0)[5], ofProject(0)[77]];
    if (one === undefined || two === undefined) throw new Error('no vectors');
    const found = await readNearest(db, PROJECTS[0], ask([one.vector, two.vector], 2));
    expect(found.map(({ cid, turn, type }) => ({ cid, turn, type })).sort((a, b) => a.turn - b.turn)).toEqual(
      [
        { cid: one.cid, turn: 0, type: 'image' },
        { cid: two.cid, turn: 1, type: 'image' },
      ],
    );
    expect(Uint8Array.from(found[0]?.evidence ?? [])).toHaveLength(1);
  });

  it('are none of another method or length', async () => {
    const short = Float32Array.from(normalise([1, 2, 3], 1));
    expect(await readNearest(db, PROJECTS[0], ask([short], 5))).toEqual([]);
  });

  it('are replaced when content is described anew', async () => {
    const [first, second] = ofProject(1);
    if (first === undefined || second === undefined) throw new Error('no vectors');
    const row = toDescriptorRow(first.cid, {
      method: METHOD,
      vector: vectors[399] ?? first.vector,
      evidence: Uint8Array.of(9),
    });
    await writeDescriptor(db, PROJECTS[1], row);
    const found = await readNearest(db, PROJECTS[1], ask([vectors[399] ?? first.vector], 1));
    expect(found).toMatchObject([{ cid: first.cid, cosine: expect.closeTo(1, 4) }]);
  });

  if (engine !== 'PGlite with pgvector') return;
  it('are the same through the index', async () => {
    const asked = vectors[60];
    if (asked === undefined) throw new Error('no vector');
    const { described } = ask([asked], 10);
    const parameters = [METHOD, JSON.stringify(described.turned.map((one) => ({ embedding: [...one] })))];
    for (const project of PROJECTS) {
      const indexed = await db.query<{ cid: string }>(
        'select cid from provenance.nearest_indexed($1, $2, $3::jsonb, 10)',
        [project, ...parameters],
      );
      const exact = await readNearest(db, project, ask([asked], 10));
      expect(indexed.map(({ cid }) => cid)).toEqual(exact.map(({ cid }) => cid));
    }
    const [plan] = await db.query<{ count: number }>(
      "select count(*)::int from pg_indexes where indexname = 'descriptor_hnsw'",
    );
    expect(plan).toEqual({ count: 1 });
  });
});
