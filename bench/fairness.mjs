// Time of recordings and reads of one project while another project runs attacks.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { MAX_KEYS, prepareAttacks } from './support/attacks.mjs';
import { BOUNDARY, toForm } from './support/media-calls.mjs';
import { makePicture } from './support/pictures.mjs';
import { startPostgres } from './support/postgres.mjs';
import { startService } from './support/service.mjs';
import { quantileOf } from './support/statistics.mjs';

const HONEST_KEY = 'bench-key-of-honest-tenant';
const ATTACKER_KEYS = Array.from(
  { length: MAX_KEYS },
  (_, place) => `bench-key-of-attacking-tenant-${place}`,
);
const API_KEYS = [`${HONEST_KEY}:honest`, ...ATTACKER_KEYS.map((key) => `${key}:attacker`)].join(',');
/** Requests that one key may send in a minute by default, including the burst. */
const MAX_REQUESTS = 80;
const SECONDS = 12;
const MEBIBYTE = 2 ** 20;
const ENGINES = ['postgres', 'embedded'];
const IDLE_MIB = 450;
const WHOLE_MIB = 900;
const HEALTH_MS = 100;
const SEARCH_EVERY_MS = 1_000;
/** Environment variables that the image and the systemd unit set too. */
const SHIPPED = { MALLOC_MMAP_THRESHOLD_: '81920', MALLOC_ARENA_MAX: '2' };
const IDLE_THREADS_MS = 35_000;
const AT_REST_MS = 120_000;

/**
 * Options: `--seconds=12`, `--engine=embedded` or `postgres`, `--attack=media`. `--attack=all` runs only the attacks
 * together.
 */
export async function run(report, { seconds = SECONDS, engine, attack } = {}) {
  if (engine !== undefined && !ENGINES.includes(engine))
    throw new Error(`--engine=${engine} must be ${ENGINES.join(' or ')}`);
  for (const name of engine === undefined ? ENGINES : [engine])
    await runOn(report, { name, seconds: Number(seconds), chosen: attack });
}

async function runOn(report, { name, seconds, chosen }) {
  report.section(
    `fairness on ${name}: record + read of one tenant while another tenant attacks, ${seconds} s each`,
  );
  const postgres = name === 'embedded' ? undefined : await startPostgres();
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'colophon-bench-fairness-'));
  let service;
  try {
    const DATABASE_URL = await postgres?.createDatabase('fairness');
    service = await startService({
      API_KEYS,
      PROOF_POLICY: 'warn',
      DATA_DIR,
      ...SHIPPED,
      ...(DATABASE_URL === undefined ? {} : { DATABASE_URL }),
    });
    await measure(service, { seconds: 3 });
    await sleep(IDLE_THREADS_MS);
    report.figure('memory before', readMemory(service).nowMib, {
      unit: ' MiB',
      target: { atMost: IDLE_MIB },
    });
    const attacks = await prepareAttacks((request) => post(service, request), name);
    const idle = await measure(service, { seconds });
    show(report, { name: 'idle', measured: idle });
    const named = Object.entries(attacks).filter(([one]) => chosen === undefined || one === chosen);
    for (const [one, requests] of named)
      await runAttack(report, { name: one, service, seconds, idle, attacks: [requests] });
    const all = Object.values(attacks).filter(({ isApart = false }) => !isApart);
    const together = {
      'all together, one key': MAX_REQUESTS / all.length,
      'all together, a key for each': MAX_REQUESTS,
    };
    for (const [one, maxRequests] of chosen === undefined || chosen === 'all' ? Object.entries(together) : [])
      await runAttack(report, { name: one, service, seconds, idle, attacks: all, maxRequests });
    await sleep(IDLE_THREADS_MS);
    report.figure('memory afterwards', readMemory(service).nowMib, {
      unit: ' MiB',
      target: { atMost: IDLE_MIB },
    });
    await sleep(AT_REST_MS - IDLE_THREADS_MS);
    report.figure('memory two minutes afterwards', readMemory(service).nowMib, { unit: ' MiB' });
  } finally {
    await service?.stop();
    await postgres?.stop();
    rmSync(DATA_DIR, { recursive: true });
  }
}

/** Each attack sends at most `maxRequests` with each key. */
async function runAttack(report, { name, service, seconds, idle, attacks, maxRequests = MAX_REQUESTS }) {
  const workerData = { port: service.port, keys: ATTACKER_KEYS, attacks, maxRequests };
  const attacker = new Worker(new URL('support/attacker.mjs', import.meta.url), { workerData });
  const measured = await measure(service, { seconds });
  const statuses = new Promise((resolve) => attacker.once('message', resolve));
  attacker.postMessage('end');
  show(report, { name, measured, idle, statuses: await statuses });
  await sleep(2_000);
}

function show(report, { name, measured, idle, statuses }) {
  const { p50, p99, refused, count, healthMs, search, memory } = measured;
  const ratio = (one, other) => (idle === undefined ? '' : ` (${(one / other).toFixed(1)} x idle)`);
  const line = `${name}: p50 ${p50.toFixed(1)} ms${ratio(p50, idle?.p50)}, p99 ${p99.toFixed(1)} ms${ratio(p99, idle?.p99)}, refused ${refused} of ${count}, WebP searches refused ${search.refused} of ${search.count} (at most ${search.longestMs.toFixed(0)} ms), /healthz at most ${healthMs.toFixed(0)} ms, memory ${memory.nowMib} MiB, peak ${memory.peakMib} MiB`;
  const isFair =
    idle === undefined || (p50 <= Math.max(2 * idle.p50, 20) && p99 <= Math.max(5 * idle.p99, 100));
  const isSmall = memory.peakMib <= WHOLE_MIB;
  report.verdict(name, line, isFair && isSmall && refused + search.refused === 0 && healthMs <= HEALTH_MS);
  if (statuses !== undefined)
    report.note(`responses to the attacker, by status: ${JSON.stringify(statuses)}`);
}

let picture;

async function measure(service, { seconds }) {
  // The creation of the picture blocks this process, so it precedes the measurement.
  picture ??= await sharp(await makePicture(7))
    .webp()
    .toBuffer();
  const untilMs = performance.now() + seconds * 1000;
  resetPeak(service);
  const health = watchHealth(service, untilMs);
  const searching = watchSearches(service, untilMs);
  const times = [];
  let refused = 0;
  while (performance.now() < untilMs) {
    const startedMs = performance.now();
    refused += await recordAndRead(service);
    times.push(performance.now() - startedMs);
    await sleep(10);
  }
  const [p50, p99] = [0.5, 0.99].map((share) => quantileOf(times, share));
  const search = await searching;
  return {
    ...{ p50, p99, refused, search, count: times.length },
    healthMs: await health,
    memory: readMemory(service),
  };
}

/** Returns the number of failed requests, from 0 to 2. */
async function recordAndRead({ base }) {
  const headers = { authorization: `Bearer ${HONEST_KEY}` };
  const said = { entity: { id: 'honest', role: 'human' } };
  const body = toForm(Buffer.from(`one of many words ${crypto.randomUUID()} `.repeat(20)), said);
  const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const recorded = await fetch(`${base}/v1/activity`, {
    method: 'POST',
    headers: { ...headers, ...type },
    body,
  });
  const { cid } = await recorded.json();
  if (recorded.status !== 201) return 2;
  const read = await fetch(`${base}/v1/bundle/${cid}`, { headers });
  await read.arrayBuffer();
  return read.status === 200 ? 0 : 1;
}

async function watchSearches({ base }, untilMs) {
  const headers = {
    authorization: `Bearer ${HONEST_KEY}`,
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
  };
  const seen = { count: 0, refused: 0, longestMs: 0 };
  while (performance.now() < untilMs) {
    const startedMs = performance.now();
    const answer = await fetch(`${base}/v1/search/file`, { method: 'POST', headers, body: toForm(picture) });
    await answer.arrayBuffer();
    seen.count += 1;
    seen.refused += answer.status === 200 ? 0 : 1;
    seen.longestMs = Math.max(seen.longestMs, performance.now() - startedMs);
    await sleep(SEARCH_EVERY_MS);
  }
  return seen;
}

async function watchHealth({ base }, untilMs) {
  let longestMs = 0;
  while (performance.now() < untilMs) {
    const startedMs = performance.now();
    await (await fetch(`${base}/healthz`)).arrayBuffer();
    longestMs = Math.max(longestMs, performance.now() - startedMs);
    await sleep(20);
  }
  return longestMs;
}

async function post({ base }, { path, method, type, body }) {
  const headers = { authorization: `Bearer ${ATTACKER_KEYS[0]}`, 'content-type': type };
  const answer = await fetch(`${base}${path}`, { method, headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

/** Works only on Linux. */
function resetPeak({ pid }) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function readMemory({ pid }) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mibOf = (name) =>
    Math.round((Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024) / MEBIBYTE);
  return { nowMib: mibOf('VmRSS'), peakMib: mibOf('VmHWM') };
}
