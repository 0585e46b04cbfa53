// Runs the steps of deploy/Dockerfile in an empty folder, without a container engine, and tests the result:
// `npm run image:replay`. Skips steps that need a separate system.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseDockerfile, parseIgnore } from './dockerfile.mjs';
import { ROOT, run } from './processes.mjs';

/** Beginnings of the steps that need a separate system. */
const SYSTEM = ['apt-get ', 'mkdir /data '];
const SETTINGS = ['USER', 'VOLUME', 'EXPOSE', 'STOPSIGNAL'];
const KEY = 'a-key-for-the-replay-alone';
const START_SECONDS = 90;

const folder = mkdtempSync(join(tmpdir(), 'colophon-image-'));
try {
  const image = await build();
  await tryOut(image);
  console.log('The image starts, is healthy, shows the page, records, and ends on a signal.');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the start settings of the last stage. */
async function build() {
  const isIgnored = parseIgnore(readFileSync(join(ROOT, '.dockerignore'), 'utf8'));
  let stage;
  for (const { name, steps } of parseDockerfile(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8'))) {
    stage = { root: join(folder, name), workdir: '/', environment: {}, isIgnored };
    mkdirSync(stage.root);
    for (const step of steps) await take(stage, step);
  }
  return stage;
}

async function take(stage, { instruction, text }) {
  console.log(`${instruction} ${text}`);
  if (instruction === 'WORKDIR') {
    stage.workdir = text;
    mkdirSync(join(stage.root, text), { recursive: true });
  } else if (instruction === 'COPY') copy(stage, text.split(/\s+/));
  else if (instruction === 'RUN') await runStep(stage, text);
  else if (instruction === 'ENV')
    Object.assign(stage.environment, Object.fromEntries(text.split(/\s+/).map((pair) => pair.split('='))));
  else if (instruction === 'HEALTHCHECK') stage.check = JSON.parse(/CMD (\[.*\])$/.exec(text)[1]);
  else if (instruction === 'CMD') stage.command = JSON.parse(text);
  else if (SETTINGS.includes(instruction)) console.log('  (skipped: needs an engine)');
  else throw new Error(`The instruction ${instruction} is not supported.`);
}

function copy({ root, workdir, isIgnored }, words) {
  const from = /^--from=(.+)$/.exec(words[0])?.[1];
  const [sources, target] = [words.slice(from === undefined ? 0 : 1, -1), words.at(-1)];
  const base = from === undefined ? ROOT : join(folder, from);
  for (const source of sources) {
    const found = join(base, source);
    const isFolder = statSync(found).isDirectory();
    const place = isFolder || !target.endsWith('/') ? target : join(target, source.split('/').at(-1));
    cpSync(found, join(root, workdir, place), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => from !== undefined || !isIgnored(relative(ROOT, path)),
    });
  }
}

async function runStep({ root, workdir }, text) {
  if (SYSTEM.some((start) => text.startsWith(start))) return console.log('  (skipped: needs an engine)');
  const code = await run(['sh', '-c', text], { cwd: join(root, workdir) });
  if (code !== 0) throw new Error(`A step failed with exit code ${code}: ${text}`);
}

async function tryOut({ root, workdir, environment, check, command }) {
  const port = String(await freePort());
  const own = { DATA_DIR: join(folder, 'data'), ALLOW_EMBEDDED_IN_PRODUCTION: 'true', API_KEYS: KEY };
  const options = {
    cwd: join(root, workdir),
    env: { PATH: process.env.PATH, ...environment, ...own, HOST: '127.0.0.1', PORT: port },
  };
  const service = spawn(command[0], command.slice(1), { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise((resolve) => service.once('exit', (code, signal) => resolve(code ?? signal)));
  try {
    await untilHealthy(check, options);
    await expectStatus(200, `http://127.0.0.1:${port}/app/`);
    await record(`http://127.0.0.1:${port}`);
  } finally {
    service.kill('SIGTERM');
  }
  const code = await ended;
  if (code !== 0) throw new Error(`The service ended with exit code ${code}.`);
}

async function untilHealthy(check, options) {
  for (let seconds = 0; seconds < START_SECONDS; seconds++) {
    if ((await run(check, { ...options, stdio: 'ignore' })) === 0) return;
    await sleep(1000);
  }
  throw new Error(`The service was not healthy within ${START_SECONDS} seconds.`);
}

async function record(url) {
  const form = new FormData();
  form.set('file', new Blob(['what was made']), 'made.txt');
  form.set('json', JSON.stringify({ entity: { role: 'human', name: 'Ann' } }));
  const headers = { authorization: `Bearer ${KEY}` };
  await expectStatus(201, `${url}/v1/activity`, { method: 'POST', headers, body: form });
}

async function expectStatus(status, url, init) {
  const answer = await fetch(url, init);
  if (answer.status !== status) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
