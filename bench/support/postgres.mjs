import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { end, endWithUs, freePort } from './processes.mjs';

const START_TIMEOUT_MS = 30_000;

export const WITHOUT_DURABILITY = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_wal_size=4GB',
];

/**
 * Starts a private PostgreSQL with default settings on a free port of 127.0.0.1. `settings` are additional settings,
 * each as `name=value`. With `standbyOf`, the new server is a hot standby of that server. Stop the new server in a
 * `finally`.
 */
export async function startPostgres({ settings = [], standbyOf } = {}) {
  const binaries = findBinaries();
  const identity = unprivileged();
  const work = mkdtempSync(join(tmpdir(), 'colophon-bench-postgres-'));
  chmodSync(work, 0o755);
  const data = join(work, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (identity.uid !== undefined) chownSync(data, identity.uid, identity.gid);
  const options = { ...identity, cwd: work, env: { LC_ALL: 'C', TZ: 'UTC' }, stdio: 'ignore' };
  const initial = ['--no-sync', '-A', 'trust', '-U', 'colophon', '--encoding=UTF8', '--locale=C'];
  if (standbyOf === undefined) execFileSync(join(binaries, 'initdb'), ['-D', data, ...initial], options);
  else
    execFileSync(
      join(binaries, 'pg_basebackup'),
      ['-d', standbyOf.url, '-D', data, '-R', '-c', 'fast'],
      options,
    );
  const port = await freePort();
  const chosen = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings];
  const flags = ['-D', data, ...chosen.flatMap((setting) => ['-c', setting])];
  const begin = () => {
    const started = spawn(join(binaries, 'postgres'), flags, options);
    endWithUs(started, 'SIGQUIT');
    return started;
  };
  let server = begin();
  const urlOf = (database) => `postgres://colophon@127.0.0.1:${port}/${database}`;
  const stop = async () => {
    await end(server, 'SIGINT');
    rmSync(work, { recursive: true, force: true });
  };
  try {
    await untilAnswers(urlOf('postgres'), server);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port,
    get pid() {
      return server.pid;
    },
    /** After a restart, the shared buffers are empty. */
    async restart() {
      await end(server, 'SIGINT');
      server = begin();
      await untilAnswers(urlOf('postgres'), server);
    },
    urlOf,
    url: urlOf('postgres'),
    stop,
    createDatabase: (name) => createDatabase(urlOf, name),
  };
}

export async function withClient(url, use) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function createDatabase(urlOf, name) {
  await withClient(urlOf('postgres'), (client) => client.query(`create database "${name}"`));
  return urlOf(name);
}

async function untilAnswers(url, server) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && server.exitCode === null) {
    const answered = await withClient(url, (client) => client.query('select 1')).catch(() => undefined);
    if (answered !== undefined) return;
    await sleep(50);
  }
  throw new Error('PostgreSQL did not start');
}

function findBinaries() {
  const parent = '/usr/lib/postgresql';
  const versions = existsSync(parent) ? readdirSync(parent).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(parent, version, 'bin')),
  ];
  const found = places.find((place) =>
    ['postgres', 'initdb', 'pg_basebackup'].every((name) => existsSync(join(place, name))),
  );
  if (found === undefined)
    throw new Error('The benchmark needs PostgreSQL 15 or later, in PATH or in /usr/lib/postgresql.');
  return found;
}

/** PostgreSQL refuses to run as root. */
function unprivileged() {
  if (process.getuid() !== 0) return {};
  const idOf = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
