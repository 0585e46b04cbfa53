// Measures the database pages that each operation touches, and its time, on PostgreSQL with 10^5 and with 10^6 actions.
// Also measures bytes, VACUUM, the first proof after a restart, and `colophon db partition`.
import { fileURLToPath } from 'node:url';
import { openConnection, toMessage } from './support/connection.mjs';
import { cidOf } from './support/content-ids.mjs';
import { startPostgres, WITHOUT_DURABILITY, withClient } from './support/postgres.mjs';
import { collect, cpuSeconds } from './support/processes.mjs';
import { createNext } from './support/random.mjs';
import { createPerformer, startService } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';
import { PERFORMER, toActionBody } from './support/typical-action.mjs';

const CLI = fileURLToPath(new URL('../packages/server/dist/cli.js', import.meta.url));
const DEFAULTS = { small: '100000', large: '1000000', projects: '1,1000' };
const BATCH = 250;
const CALLERS = 4;
/** Number of actions in each history and in each session. Both are chains. */
const CHAIN = 10;
const REPETITIONS = 200;
const WARMING = 10;
/** Limit of the offset of a list, so that each page is full. */
const MOST_OFFSETS = 900;
const PAGE = 100;
/** Recordings make the store larger, so there are fewer recordings than reads. */
const WRITTEN = 60;
const TARGET = { target: { atMost: 1.3 } };
const SETTINGS = [...WITHOUT_DURABILITY, 'shared_preload_libraries=pg_stat_statements'];

/**
 * `number` is the number of an action in its project. A node answers a repeated read from its memory, so each read of a
 * measurement differs.
 */
const READS = {
  'a content': ({ project, number }) => ({ path: `/v1/resource/${contentOf(project, number)}` }),
  'a bundle of 10 actions': ({ project, number }) => ({ path: `/v1/bundle/${endOf(project, number)}` }),
  'about 100 of the newest actions': ({ number, offsets }) => ({
    path: `/v1/actions?limit=${PAGE - (number % 10)}&offset=${number % offsets}`,
  }),
  'the 10 actions of a session': ({ number }) => ({
    path: `/v1/actions?limit=${PAGE}&sessionId=${sessionOf(number)}`,
  }),
  'a proven bundle of 10 actions': ({ project, number }) => ({
    path: `/v1/bundle/${endOf(project, number)}?proof=true`,
  }),
};
const WRITES = {
  'record one action': ({ next }) => ({ path: '/v1/action', body: next() }),
  'record 100 actions in a batch': ({ next }) => ({
    path: '/v1/batch',
    body: { actions: Array.from({ length: 100 }, next) },
  }),
};

const keyOf = (project) => `bench-key-of-project-number-${project}`;
const contentOf = (project, number) => cidOf(`content ${number} of project ${project}`);
const endOf = (project, number) => contentOf(project, number - (number % CHAIN) + CHAIN - 1);
const sessionOf = (number) => `session-${Math.floor(number / CHAIN)}`;

/** `--small=N --large=N`: numbers of actions. `--projects=1,1000`: numbers of projects of the larger store. */
export async function run(report, given = {}) {
  const options = { ...DEFAULTS, ...given };
  const sizes = [Number(options.small), Number(options.large)];
  for (const projects of options.projects.split(',').map(Number)) {
    const [small, large] = sizes.map((size) => size.toLocaleString('en'));
    const fewer = toProjects(sizes[0], { sizes, projects });
    report.section(`growth: ${small} actions in ${fewer} projects, ${large} in ${projects}, PostgreSQL`);
    await measureLayout(report, { sizes, projects });
  }
}

/** All projects have the same size, so a smaller store has fewer projects. */
const toProjects = (size, { sizes, projects }) =>
  Math.max(1, Math.round((projects * size) / Math.max(...sizes)));

async function measureLayout(report, { sizes, projects }) {
  const postgres = await startPostgres({ settings: SETTINGS });
  const place = {
    postgres,
    url: await postgres.createDatabase('growth'),
    store: createStore(projects, Math.floor(sizes[0] / toProjects(sizes[0], { sizes, projects }))),
  };
  try {
    await withClient(place.url, (client) =>
      client.query('create extension pg_stat_statements; create extension pgstattuple'),
    );
    await start(place);
    for (const project of place.store.projects) await createPerformer(place.service, performer(project));
    const found = [];
    for (const size of sizes) {
      place.store.open(toProjects(size, { sizes, projects }));
      found.push(await measureSize(report, place, size));
    }
    compare(report, found, sizes);
    if (projects > 1) await partition(report, place);
  } finally {
    await place.service?.stop();
    await postgres.stop();
  }
}

const performer = (project) => ({ key: keyOf(project), id: PERFORMER });

async function start(place) {
  await place.service?.stop();
  place.service = await startService({
    DATABASE_URL: place.url,
    API_KEYS: place.store.projects.map((project) => `${keyOf(project)}:project-${project}`).join(','),
    SERVER_SIGNING_KEY: '07'.repeat(32),
  });
}

/**
 * The actions of each project have consecutive numbers. `pick` chooses a complete history of an open project at random.
 * `smallest`: number of actions of a project in the smaller store.
 */
function createStore(count, smallest) {
  const offsets = Math.max(1, Math.min(MOST_OFFSETS, smallest - PAGE));
  const projects = Array.from({ length: count }, (_, project) => project);
  const recorded = projects.map(() => 0);
  const random = createNext(1, count);
  const below = (limit) => Math.floor(random() * limit);
  let opened = 0;
  let filling = projects;
  const next = (project) => {
    const number = recorded[project]++;
    const inputs = number % CHAIN === 0 ? [] : [contentOf(project, number - 1)];
    return toActionBody({ inputs, output: contentOf(project, number), sessionId: sessionOf(number) });
  };
  return {
    projects,
    total: () => recorded.reduce((sum, each) => sum + each, 0),
    /** Opens the first `number` projects. Then `batches` fills the newly opened ones, or all if none is new. */
    open(number) {
      filling = projects.slice(number > opened ? opened : 0, number);
      opened = number;
    },
    pick() {
      const project = below(opened);
      const complete = recorded[project] - (recorded[project] % CHAIN);
      return { project, number: below(complete), offsets, next: () => next(project) };
    },
    *batches(size) {
      for (let turn = 0; ; turn++) {
        const project = filling[turn % filling.length];
        yield { project, actions: Array.from({ length: size }, () => next(project)) };
      }
    },
  };
}

async function measureSize(report, place, size) {
  const { store, postgres } = place;
  const fillMs = await timed(() => fill(place, size));
  const cpuBefore = cpuSeconds(postgres.pid);
  const vacuumMs = await timed(() => withClient(place.url, (client) => client.query('vacuum analyze')));
  const cpu = (cpuSeconds(postgres.pid) - cpuBefore).toFixed(1);
  report.note(`${store.total().toLocaleString('en')} actions: recorded in ${toSeconds(fillMs)}`);
  report.note(`vacuum analyze after these recordings: ${toSeconds(vacuumMs)}, CPU ${cpu} s`);
  const proven = store.pick();
  report.note(`first proof of a project: ${toSeconds(await timed(() => prove(place, proven)))}`);
  const bytes = (await readBytes(place)) / store.total();
  report.note(`bytes of an action, with one proven project: ${Math.round(bytes)}`);
  const indexes = await readIndexes(place.url);
  await place.service.stop();
  await postgres.restart();
  await start(place);
  const proofMs = await timed(() => prove(place, proven));
  report.figure('proof after a restart', proofMs, { unit: ' ms', target: { atMost: 1_000 } });
  return { indexes, operations: await measureOperations(report, place) };
}

/** Reads the same histories twice: first after a restart of PostgreSQL, then after a restart of the service alone. */
async function measureOperations(report, place) {
  const picks = Array.from({ length: REPETITIONS + WARMING }, place.store.pick);
  const cold = {};
  for (const name of Object.keys(READS)) cold[name] = await measure(place, READS[name], picks);
  const warm = {};
  for (const name of Object.keys(READS))
    warm[name] = await countDescents(place, picks, () => measure(place, READS[name], picks));
  const written = picks.slice(0, WRITTEN);
  for (const name of Object.keys(WRITES))
    warm[name] = await countDescents(place, written, () => measure(place, WRITES[name], written));
  for (const [name, { pages, ms }] of Object.entries(warm)) {
    const first = cold[name];
    const also =
      first === undefined ? '' : `; cold: ${first.ms.toFixed(2)} ms, ${first.read.toFixed(1)} reads`;
    report.note(`${name}: ${pages.toFixed(1)} pages, ${ms.toFixed(2)} ms${also}`);
  }
  return warm;
}

/**
 * Uses the median of the pages touched, because the first execution of a statement in a connection also reads catalogs.
 */
async function measure({ url, service }, toRequest, picks) {
  const connection = await openConnection(service.port);
  for (const pick of picks.slice(0, WARMING)) await send(connection, pick.project, toRequest(pick));
  const samples = await withClient(url, async (client) => {
    const taken = [];
    for (const pick of picks.slice(WARMING)) {
      const request = toRequest(pick);
      await client.query('select pg_stat_statements_reset()');
      const ms = await timed(() => send(connection, pick.project, request));
      taken.push({ ms, statements: await readStatements(client) });
    }
    return taken;
  });
  connection.close();
  const { pages, read } = toPages(samples.map(({ statements }) => statements));
  return { ms: medianOf(samples.map(({ ms }) => ms)), pages, read };
}

async function readStatements(client) {
  const { rows } = await client.query(
    `select queryid::text as id, (shared_blks_hit + shared_blks_read)::float8 as pages,
       shared_blks_read::float8 as read
     from pg_stat_statements`,
  );
  return rows;
}

/**
 * Omits statements that ran for less than half of the operations, such as those of jobs. `operations`: the statements
 * of each operation.
 */
function toPages(operations) {
  const ran = new Map();
  for (const { id } of operations.flat()) ran.set(id, (ran.get(id) ?? 0) + 1);
  const own = operations.map((rows) => rows.filter(({ id }) => ran.get(id) >= operations.length / 2));
  const sums = (member) => own.map((rows) => rows.reduce((sum, row) => sum + row[member], 0));
  return {
    pages: medianOf(sums('pages')),
    read: sums('read').reduce((sum, each) => sum + each, 0) / operations.length,
  };
}

/** Returns for each B-tree the number of levels above the leaves, of leaf pages, and of pages above the leaves. */
async function readIndexes(url) {
  const { rows } = await withClient(url, (client) =>
    client.query(
      `select i.indexrelid::regclass::text as name, s.tree_level as levels, s.leaf_pages::float8 as leaves,
         s.internal_pages::float8 as inner
       from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam,
         lateral pgstatindex(i.indexrelid) s
       where a.amname = 'btree' and c.relkind = 'i' and c.relnamespace = 'provenance'::regnamespace`,
    ),
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/**
 * Runs `work`. Returns its result, and how often an operation descends each index from its root: once for a scan, and
 * once for each row that it writes. PostgreSQL adds these counts when a connection closes, so the service starts before
 * `work` and stops after it.
 */
async function countDescents(place, picks, work) {
  await place.service.stop();
  const before = await readDescents(place.url);
  await start(place);
  const measured = await work();
  await place.service.stop();
  const after = await readDescents(place.url);
  await start(place);
  const descents = new Map();
  for (const [name, count] of after) descents.set(name, (count - (before.get(name) ?? 0)) / picks.length);
  return { ...measured, descents };
}

async function readDescents(url) {
  const { rows } = await withClient(url, (client) =>
    client.query(
      `select i.indexrelid::regclass::text as name,
         (i.idx_scan + t.n_tup_ins + t.n_tup_upd - t.n_tup_hot_upd)::float8 as count
       from pg_stat_user_indexes i join pg_stat_user_tables t using (relid) where i.schemaname = 'provenance'`,
    ),
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** Number of levels above the leaves of an index with `factor` times as many leaf pages and the same fan-out. */
function levelsOf({ levels, leaves, inner }, factor) {
  // The root of a small index is not full, so it does not show the fan-out. Assume a fan-out of 200.
  if (levels < 2) return leaves * factor > 200 ? Math.max(levels, 2) : Math.max(levels, 1);
  return Math.max(levels, Math.ceil(Math.log(leaves * factor) / Math.log(leaves / inner)));
}

function pagesOfLevels({ descents }, indexes, toLevels) {
  let pages = 0;
  for (const [name, index] of indexes) pages += (descents.get(name) ?? 0) * (toLevels(index) - index.levels);
  return pages;
}

/**
 * The extrapolation of the pages has two parts. The pages of further index levels follow from the measured pages of
 * each index. Each factor of ten adds the same number of other pages. This is too low for an operation whose pages grow
 * in proportion to the store.
 */
function compare(report, [few, many], [small, large]) {
  const more = (100 * small) / large;
  for (const [name, last] of Object.entries(many.operations)) {
    const first = few.operations[name];
    const ofLevels = pagesOfLevels(last, few.indexes, ({ name: index, levels }) =>
      Math.max(levels, many.indexes.get(index)?.levels ?? levels),
    );
    const others = (last.pages - first.pages - ofLevels) / Math.log10(large / small);
    const furtherLevels = pagesOfLevels(last, many.indexes, (index) => levelsOf(index, more));
    const pages = last.pages + furtherLevels + Math.max(0, others) * Math.log10(more);
    const parts = [ofLevels, others, furtherLevels].map((part) => part.toFixed(1));
    report.note(
      `${name}: pages of new levels ${parts[0]}, other new pages ${parts[1]}, of further levels ${parts[2]}`,
    );
    report.figure(`${name}: pages among many / among few`, last.pages / first.pages, TARGET);
    report.figure(`${name}: time`, last.ms / first.ms, TARGET);
    report.figure(
      `${name}: pages among ${small * 100} / among ${small}, extrapolated`,
      pages / first.pages,
      TARGET,
    );
  }
}

async function partition(report, { url, service, store }) {
  const connection = await openConnection(service.port);
  let isRunning = true;
  const command = collect([process.execPath, CLI, 'db', 'partition'], {
    env: { ...process.env, DATABASE_URL: url },
  }).finally(() => {
    isRunning = false;
  });
  const times = [];
  const record = async () => {
    while (isRunning) {
      const pick = store.pick();
      const request = WRITES['record one action'](pick);
      times.push(await timed(() => send(connection, pick.project, request)));
    }
  };
  const [, output] = await Promise.all([record(), command]);
  connection.close();
  report.note(`colophon db partition: ${output.trim().split('\n').at(-1)}`);
  report.note(`${times.length} recordings meanwhile, median ${medianOf(times).toFixed(2)} ms`);
  report.figure('longest recording', Math.max(...times), { unit: ' ms', target: { atMost: 10_000 } });
}

function fill({ store, service }, size) {
  const batches = store.batches(Math.min(BATCH, Math.ceil(size / store.projects.length)));
  const caller = async () => {
    const connection = await openConnection(service.port);
    while (store.total() < size) {
      const { project, actions } = batches.next().value;
      await send(connection, project, { path: '/v1/batch', body: { actions } });
    }
    connection.close();
  };
  return Promise.all(Array.from({ length: CALLERS }, caller));
}

/** The first proof of a project can take longer than one request. */
async function prove({ service }, pick) {
  const connection = await openConnection(service.port);
  const request = { ...READS['a proven bundle of 10 actions'](pick), accepted: [503] };
  while ((await send(connection, pick.project, request)) === 503);
  connection.close();
}

async function send(connection, project, { path, body, accepted = [] }) {
  const method = body === undefined ? 'GET' : 'POST';
  const message = toMessage({ method, path, key: keyOf(project), body: body && JSON.stringify(body) });
  const { status, body: answer } = await connection.send(message);
  if (status !== (body === undefined ? 200 : 201) && !accepted.includes(status))
    throw new Error(`${method} ${path}: ${status} ${answer}`);
  return status;
}

async function readBytes({ url }) {
  const { rows } = await withClient(url, (client) =>
    client.query('select pg_database_size(current_database())::float8 as bytes'),
  );
  return rows[0].bytes;
}

async function timed(work) {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

const toSeconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
