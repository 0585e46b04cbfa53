// What finding the nearest vectors costs: counted over all of a project's, and through pgvector's index where the
// PostgreSQL in the path has that extension (bench/similarity.md says how to get one).

import { openDatabases } from '../packages/server/dist/db/open-databases.js';
import { adoptVectorIndex, toDescriptorRow } from '../packages/server/dist/search/descriptors.sql.js';
import { dot, normalise, signsOf } from '../packages/server/dist/search/vector.js';
import { startPostgres, withClient } from './support/postgres.mjs';
import { medianOf } from './support/statistics.mjs';

const SMALL = 10_000;
const LARGE = 100_000;
const CLUSTERS = 200;
const QUERIES = 40;
const COUNTED_QUERIES = 10;
const BATCH = 500;
const METHOD = 'image-512/1';
const SMALL_PROJECT = '00000000-0000-7000-8000-00000000000a';
const LARGE_PROJECT = '00000000-0000-7000-8000-00000000000b';

export async function run(report) {
  report.section(`nearest: 512 numbers in ${CLUSTERS} clusters`);
  const { stored, asked } = makeVectors();
  const exact = asked.map((one) => nearestOf(stored, one));
  const postgres = await startPostgres({ settings: ['maintenance_work_mem=1GB'] });
  try {
    const url = await postgres.createDatabase('nearest');
    const { provenance: db, close } = await openDatabases({ kind: 'postgresql', url, directUrl: undefined });
    try {
      // The index is made over what is there, as when the extension is installed later.
      await db.query('drop index if exists provenance.descriptor_hnsw');
      await fill(db, SMALL_PROJECT, stored.slice(0, SMALL));
      const few = asked.slice(0, COUNTED_QUERIES);
      await measure(report, `counted, ${SMALL}`, { db, how: 'exact', project: SMALL_PROJECT, asked: few });
      await fill(db, LARGE_PROJECT, stored);
      await withClient(url, (client) => client.query('vacuum analyze provenance.descriptor'));
      await measure(report, `counted, ${LARGE}`, {
        db,
        how: 'exact',
        project: LARGE_PROJECT,
        asked: few,
        exact,
      });
      const startedMs = performance.now();
      const how = await adoptVectorIndex(db);
      report.note(`PostgreSQL: ${how}; made in ${Math.round((performance.now() - startedMs) / 1000)} s`);
      if (how === 'exact search') return;
      const terms = { db, how: 'indexed', project: LARGE_PROJECT, asked, exact };
      await measure(report, `pgvector, ${LARGE}`, { ...terms, target: { atMost: 10 } });
    } finally {
      await close();
    }
  } finally {
    await postgres.stop();
  }
}

async function measure(report, name, { db, how, project, asked, exact, target = {} }) {
  const find = (turned) =>
    db.query(`select cid from provenance.nearest_${how}($1, $2, $3::jsonb, 10)`, [
      project,
      METHOD,
      JSON.stringify(turned.map((one) => toDescriptorRow('', { method: METHOD, vector: one, evidence: [] }))),
    ]);
  await find([asked[0]]);
  const [once, eight] = [[], []];
  let found = 0;
  for (const [index, one] of asked.entries()) {
    const startedMs = performance.now();
    const cids = (await find([one])).map(({ cid }) => cid);
    once.push(performance.now() - startedMs);
    found += exact?.[index].filter((cid) => cids.includes(cid)).length ?? 0;
  }
  for (const one of asked) {
    const startedMs = performance.now();
    await find(Array(8).fill(one));
    eight.push(performance.now() - startedMs);
  }
  report.figure(`${name}: one vector, median`, medianOf(once), { unit: ' ms', target });
  report.figure(`${name}: a picture's 8 turns, median`, medianOf(eight), { unit: ' ms' });
  if (exact !== undefined)
    report.figure(`${name}: recall@10`, found / (asked.length * 10), { target: { atLeast: 0.95 } });
}

/** The 10 nearest by a full comparison. */
function nearestOf(stored, one) {
  return stored
    .map((other, index) => ({ cid: `c${index}`, cosine: dot(other, one) }))
    .sort((a, b) => b.cosine - a.cosine)
    .slice(0, 10)
    .map(({ cid }) => cid);
}

function makeVectors() {
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x7fffffff - 0.5;
  };
  const centres = Array.from({ length: CLUSTERS }, () => Float64Array.from({ length: 512 }, next));
  const make = () => {
    const centre = centres[Math.floor((next() + 0.5) * (CLUSTERS - 1))];
    return Float32Array.from(
      normalise(
        centre.map((value) => value + 0.8 * next()),
        1,
      ),
    );
  };
  return { stored: Array.from({ length: LARGE }, make), asked: Array.from({ length: QUERIES }, make) };
}

async function fill(db, project, vectors) {
  for (let at = 0; at < vectors.length; at += BATCH) {
    const some = vectors.slice(at, at + BATCH);
    await db.query(
      `with given as (select * from unnest($2::text[], $3::text[], $4::text[]) as t(cid, embedding, signs)),
       content as (
         insert into provenance.resource (project_id, cid, type, root_action, created_at)
         select $1::uuid, cid, 'image', gen_random_uuid(), now() from given)
       insert into provenance.descriptor (project_id, method, cid, embedding, signs, evidence)
       select $1::uuid, $5, cid, embedding::real[], signs::bit varying, '\\x00' from given`,
      [
        project,
        some.map((_, index) => `c${at + index}`),
        some.map((one) => `{${Array.from(one, (value) => value.toFixed(6))}}`),
        some.map(signsOf),
        METHOD,
      ],
    );
  }
}
