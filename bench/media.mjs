// Content Credentials: time of the engine in the service and of the complete request, compared with a direct call.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROBE_AGE_MS } from '../packages/server/dist/http/app.js';
import { openDirectEngine, SAID } from './support/direct-engine.mjs';
import { makeFilm, makePhoto, makeThumbnail } from './support/generated-media.mjs';
import { postForm, readMetrics, toForm } from './support/media-calls.mjs';
import { cpuSeconds } from './support/processes.mjs';
import { createPerformer, startService } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';
import { PERFORMER } from './support/typical-action.mjs';

const MEBIBYTE = 2 ** 20;
const WARM_UPS = 3;

export async function run(report) {
  report.section('media: reading and signing Content Credentials (ms, shortest of the rounds)');
  const directory = mkdtempSync(join(tmpdir(), 'colophon-bench-media-'));
  let service;
  try {
    service = await startService({ DATA_DIR: join(directory, 'data') });
    await createPerformer(service, { id: PERFORMER });
    const direct = await openDirectEngine();
    const files = await makeFiles();
    for (const file of files) {
      const signed = (await direct.sign(file)).signed;
      await compare(report, extraction(service, direct, { ...file, bytes: signed }));
      await compare(report, embedding(service, direct, file));
    }
  } finally {
    await service?.stop();
    rmSync(directory, { recursive: true });
  }
}

async function makeFiles() {
  const small = await makePhoto({ width: 640, height: 480, quality: 88 });
  const large = await makePhoto({ width: 4000, height: 3000, quality: 93 });
  const photo = async (bytes) => ({
    mediaType: 'image/jpeg',
    bytes: new Uint8Array(bytes),
    thumbnail: new Uint8Array(await makeThumbnail(bytes)),
  });
  const film = new Uint8Array(makeFilm(50 * MEBIBYTE));
  return [
    { name: `JPEG of ${Math.round(small.length / 1000)} KB`, rounds: 30, ...(await photo(small)) },
    {
      name: `JPEG of ${(large.length / 1e6).toFixed(1)} MB`,
      rounds: 20,
      judged: true,
      ...(await photo(large)),
    },
    { name: 'MP4 of 50 MiB', rounds: 5, mediaType: 'video/mp4', bytes: film },
  ];
}

function extraction(service, direct, file) {
  const form = toForm(file.bytes);
  return {
    ...file,
    service,
    name: `extract, ${file.name}`,
    call: () => postForm(service, '/v1/media/extract', form),
    async callDirectly() {
      const { readMs } = await direct.read(file);
      return { engineMs: readMs, wholeMs: readMs };
    },
    engineMs: ({ read }) => read,
    path: ['receive', 'load', 'read', 'pictures'],
    floor: 'reading directly',
    // A pass is a part of a request whose time /metrics reports.
    added: ['receive', 'queue', 'load', 'pictures'],
  };
}

function embedding(service, direct, file) {
  const form = toForm(file.bytes, { ...SAID, entityId: PERFORMER });
  return {
    ...file,
    service,
    name: `embed, ${file.name}`,
    call: () => postForm(service, '/v1/media/embed', form),
    async callDirectly() {
      const { signMs, wholeMs, signed } = await direct.sign(file);
      await direct.read({ ...file, bytes: signed });
      return { engineMs: signMs, wholeMs };
    },
    engineMs: ({ sign, signature }) => sign - signature,
    // `store` runs at the same time as `verify`, so it is not in this list.
    path: ['receive', 'read', 'load', 'thumbnail', 'sign', 'save', 'verify', 'record'],
    floor: 'signing and verifying directly',
    added: [
      'receive',
      'queue',
      'load',
      'read',
      'thumbnail',
      'ingredients',
      'signature',
      'save',
      'verify',
      'store',
      'record',
    ],
  };
}

async function compare(report, use) {
  const rounds = [];
  for (let round = -WARM_UPS; round < use.rounds; round++) {
    const one = await measureRound(use);
    if (round >= 0) rounds.push(one);
  }
  const least = (of) => Math.min(...rounds.map(of));
  const median = (of) => medianOf(rounds.map(of));
  const engineMs = (one) => use.engineMs(one.passes);
  const target = (atMost) => (atMost === undefined ? {} : { target: { atMost } });

  report.note(`${use.name}`);
  const times = {
    'engine directly': ({ direct }) => direct.wholeMs,
    'engine in its thread': engineMs,
    'end to end': ({ wholeMs }) => wholeMs,
  };
  for (const [what, of] of Object.entries(times))
    report.note(`  ${what}: ${least(of).toFixed(1)} (median ${median(of).toFixed(1)})`);
  const passes = use.added.filter((pass) => least(({ passes: all }) => all[pass] ?? 0) > 0);
  report.note(
    `  added: ${passes.map((pass) => `${pass} ${least(({ passes: all }) => all[pass]).toFixed(1)}`).join(', ')}`,
  );
  report.figure(
    `${use.name}: engine in its thread / directly`,
    least(engineMs) / least(({ direct }) => direct.engineMs),
    target(1.15),
  );
  report.figure(
    `${use.name}: end to end / engine directly`,
    least(({ wholeMs }) => wholeMs) / least(({ direct }) => direct.wholeMs),
    target(use.judged ? 3 : undefined),
  );
  // The sum of the passes excludes the time of waiting for a free core.
  const inARow = use.path.reduce((sum, pass) => sum + least(({ passes: all }) => all[pass] ?? 0), 0);
  report.figure(
    `${use.name}: sum of its passes / engine directly`,
    inARow / least(({ direct }) => direct.wholeMs),
  );
  const mean = (of) => rounds.reduce((sum, one) => sum + of(one), 0) / rounds.length;
  const cpuMs = mean((one) => one.cpuMs);
  report.figure(`${use.name}: CPU of the service / ${use.floor}`, cpuMs / mean(({ direct }) => direct.cpuMs));
}

async function measureRound(use) {
  const before = await readMetrics(use.service);
  const cpuBefore = cpuSeconds(use.service.pid);
  const wholeMs = await use.call();
  const cpuMs = (cpuSeconds(use.service.pid) - cpuBefore) * 1000;
  // Until then, /metrics returns the text of the last request.
  await sleep(PROBE_AGE_MS);
  const after = await readMetrics(use.service);
  const passes = Object.fromEntries(
    Object.entries(after.passes).map(([pass, ms]) => [pass, ms - (before.passes[pass] ?? 0)]),
  );
  const ownBefore = process.cpuUsage();
  const direct = await use.callDirectly();
  const { user, system } = process.cpuUsage(ownBefore);
  return { wholeMs, cpuMs, passes, direct: { ...direct, cpuMs: (user + system) / 1000 } };
}
