// Time of a search for the nearest vectors, in the index in memory and in the database.

import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabases } from '../packages/server/dist/platform/db/open-databases.js';
import { createMemoryIndex } from '../packages/server/dist/search/memory-index.js';
import { readNearest } from '../packages/server/dist/search/nearest.sql.js';
import { dot, normalise, signsOf } from '../packages/server/dist/search/vector.js';
import { startPostgres, withClient } from './support/postgres.mjs';
import { medianOf } from './support/statistics.mjs';

const SIZES = [
  { size: 1_000, atMostMs: 3 },
  { size: 10_000, atMostMs: 5 },
  { size: 100_000, atMostMs: 20 },
];
const LARGE = 100_000;
const CLUSTERS = 200;
const QUERIES = 40;
const DATABASE_QUERIES = 10;
const BATCH = 500;
const METHOD = 'image-512/1';
const INDEX_BYTES = 2 ** 29;

export async function run(report) {
  report.section(`nearest: 512 numbers in ${CLUSTERS} clusters`);
  const { stored, asked } = makeVectors();
  const postgres = await startPostgres({});
  try {
    const url = await postgres.createDatabase('nearest');
    const { provenance: db, close } = await openDatabases({ kind: 'postgresql', url, directUrl: undefined });
    const index = createMemoryIndex(db, { maxBytes: INDEX_BYTES, reportFailure: console.error });
    try {
      for (const { size, atMostMs } of SIZES) {
        const projectId = `00000000-0000-7000-8000-${String(size).padStart(12, '0')}`;
        await fill(db, projectId, stored.slice(0, size));
        await withClient(url, (client) => client.query('vacuum analyze provenance.descriptor'));
        const exact = asked.map((one) => nearestOf(stored.slice(0, size), one));
        const byDatabase = (turned) =>
          readNearest(db, projectId, { described: { method: METHOD, turned }, limit: 10 });
        const few = asked.slice(0, DATABASE_QUERIES);
        await measure(report, `database, ${size}`, { find: byDatabase, asked: few, exact });
        const inMemory = (turned) => index.find({ projectId, method: METHOD, turned, limit: 10 });
        while ((await inMemory([asked[0]])) === undefined) await sleep(100);
        // The first search loads the vectors into memory.
        for (const one of asked) await inMemory([one]);
        const target = { atMost: atMostMs };
        await measure(report, `memory, ${size}`, { find: inMemory, asked, exact, target });
      }
    } finally {
      await index.close();
      await close();
    }
  } finally {
    await postgres.stop();
  }
}

async function measure(report, name, { find, asked, exact, target = {} }) {
  const [once, eight] = [[], []];
  let found = 0;
  for (const [index, one] of asked.entries()) {
    const startedMs = performance.now();
    const cids = (await find([one])).map(({ cid }) => cid);
    once.push(performance.now() - startedMs);
    found += exact[index].filter((cid) => cids.includes(cid)).length;
  }
  for (const one of asked) {
    const startedMs = performance.now();
    await find(Array(8).fill(one));
    eight.push(performance.now() - startedMs);
  }
  report.figure(`${name}: one vector, median`, medianOf(once), { unit: ' ms', target });
  report.figure(`${name}: a picture in 8 orientations, median`, medianOf(eight), { unit: ' ms' });
  report.figure(`${name}: recall@10`, found / (asked.length * 10), { target: { atLeast: 0.98 } });
}

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
