// What finding the nearest vectors costs: counted over all of a project's, and through pgvector's index.
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { migrate } from '../packages/server/dist/db/migrate.js';
import { openDatabases } from '../packages/server/dist/db/open-databases.js';
import { adoptVectorIndex, toDescriptorRow } from '../packages/server/dist/search/descriptors.sql.js';
import { dot, normalise } from '../packages/server/dist/search/vector.js';
import { startPostgres } from './support/postgres.mjs';
import { medianOf } from './support/statistics.mjs';

const SIZE = 10_000;
const COPIES = 10;
const CLUSTERS = 200;
const QUERIES = 40;
const BATCH = 250;
const METHOD = 'image-512/1';
const PROJECT = '00000000-0000-7000-8000-00000000000a';
const LARGE_PROJECT = '00000000-0000-7000-8000-00000000000b';

export async function run(report) {
  report.section(`nearest: 512 numbers, ${SIZE} vectors in ${CLUSTERS} clusters`);
  const vectors = makeVectors(SIZE + QUERIES);
  const stored = vectors.slice(0, SIZE);
  const asked = vectors.slice(SIZE);
  const postgres = await startPostgres();
  const opened = [];
  try {
    const url = await postgres.createDatabase('nearest');
    const server = await openDatabases({ kind: 'postgresql', url, directUrl: undefined });
    opened.push(server);
    report.note(`PostgreSQL: ${await adoptVectorIndex(server.provenance)}`);
    await fill(server.provenance, stored);
    await measure(report, `PostgreSQL, counted, ${SIZE}`, {
      db: server.provenance,
      how: 'exact',
      stored,
      asked,
    });
    await copyAll(server.provenance);
    const large = { db: server.provenance, how: 'exact', stored, asked, project: LARGE_PROJECT };
    await measure(report, `PostgreSQL, counted, ${SIZE * COPIES}`, large);

    const embedded = await openEmbedded();
    opened.push(embedded);
    await fill(embedded, stored);
    await measure(report, `PGlite, counted, ${SIZE}`, { db: embedded, how: 'exact', stored, asked });
    const startedMs = performance.now();
    report.note(`PGlite: ${await adoptVectorIndex(embedded)}`);
    report.note(`the index took ${Math.round((performance.now() - startedMs) / 1000)} s`);
    await measure(report, `PGlite, pgvector, ${SIZE}`, { db: embedded, how: 'indexed', stored, asked });
  } finally {
    for (const db of opened) await db.close();
    await postgres.stop();
  }
}

async function measure(report, name, { db, how, stored, asked, project = PROJECT }) {
  const find = (turned) =>
    db.query(`select cid from provenance.nearest_${how}($1, $2, $3::jsonb, 10)`, [
      project,
      METHOD,
      JSON.stringify(turned.map((one) => toDescriptorRow('', { method: METHOD, vector: one, evidence: [] }))),
    ]);
  const [once, eight] = [[], []];
  let found = 0;
  for (const one of asked) {
    once.push(
      await timed(
        async () => {
          const cids = (await find([one])).map(({ cid }) => cid);
          found += nearestOf(stored, one).filter((cid) => cids.includes(cid)).length;
        },
        () => nearestOf(stored, one),
      ),
    );
    eight.push(await timed(() => find(Array(8).fill(one))));
  }
  report.figure(`${name}: one vector, median`, medianOf(once), { unit: ' ms' });
  report.figure(`${name}: a picture's 8 turns, median`, medianOf(eight), { unit: ' ms' });
  if (project === PROJECT) {
    report.figure(`${name}: recall@10`, found / (asked.length * 10), { target: { atLeast: 0.95 } });
  }
}

/** Milliseconds of `work` less those of `besides`, which it does as well. */
async function timed(work, besides = () => {}) {
  const startedMs = performance.now();
  await work();
  const workedMs = performance.now();
  besides();
  return workedMs - startedMs - (performance.now() - workedMs);
}

const known = new Map();

/** The 10 nearest by a full comparison. */
function nearestOf(stored, one) {
  const cached = known.get(one);
  if (cached !== undefined) return cached;
  const nearest = stored
    .map((other, index) => ({ cid: `c${index}`, cosine: dot(other, one) }))
    .sort((a, b) => b.cosine - a.cosine)
    .slice(0, 10)
    .map(({ cid }) => cid);
  known.set(one, nearest);
  return nearest;
}

function makeVectors(count) {
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x7fffffff - 0.5;
  };
  const centres = Array.from({ length: CLUSTERS }, () => Array.from({ length: 512 }, next));
  return Array.from({ length: count }, () => {
    const centre = centres[Math.floor((next() + 0.5) * (CLUSTERS - 1))];
    return Float32Array.from(
      normalise(
        centre.map((value) => value + 0.8 * next()),
        1,
      ),
    );
  });
}

async function fill(db, vectors) {
  for (let at = 0; at < vectors.length; at += BATCH) {
    const rows = vectors
      .slice(at, at + BATCH)
      .map((one, index) => toDescriptorRow(`c${at + index}`, { method: METHOD, vector: one, evidence: [0] }));
    await db.query(
      `with given as (select value from jsonb_array_elements($2::jsonb)),
       content as (
         insert into provenance.resource (project_id, cid, type, root_action, created_at)
         select $1::uuid, value->>'cid', 'image', gen_random_uuid(), now() from given)
       select provenance.write_descriptor($1::uuid, value) from given`,
      [PROJECT, JSON.stringify(rows)],
    );
  }
}

async function copyAll(db) {
  await db.query(
    `with content as (
       insert into provenance.resource (project_id, cid, type, root_action, created_at)
       select $2, cid || '-' || copy, type, root_action, created_at
       from provenance.resource, generate_series(1, ${COPIES}) copy where project_id = $1)
     insert into provenance.descriptor (project_id, method, cid, embedding, signs, evidence)
     select $2, method, cid || '-' || copy, embedding, signs, evidence
     from provenance.descriptor, generate_series(1, ${COPIES}) copy where project_id = $1`,
    [PROJECT, LARGE_PROJECT],
  );
  await db.query('analyze provenance.descriptor');
}

async function openEmbedded() {
  const engine = await PGlite.create({ extensions: { vector } });
  const toSession = (from) => ({
    query: async (text, parameters = []) => (await from.query(text, parameters)).rows,
    exec: (sql) => from.exec(sql),
  });
  const db = {
    ...toSession(engine),
    transaction: (work) => engine.transaction((tx) => work(toSession(tx))),
    close: () => engine.close(),
  };
  await migrate(db, 'provenance');
  return db;
}
