// Content Credentials: the engine's time and the whole over HTTP, against calling the engine directly on the same bytes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDirectEngine, SAID } from './support/direct-engine.mjs';
import { makeFilm, makePhoto, makeThumbnail } from './support/generated-media.mjs';
import { postForm, readMetrics, toForm } from './support/media-calls.mjs';
import { endWithUs } from './support/processes.mjs';
import { createPerformer, startService } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';
import { PERFORMER } from './support/typical-action.mjs';

const MEBIBYTE = 2 ** 20;
const WARM_UPS = 3;
const LOAD_SECONDS = 10;

export async function run(report) {
  report.section('media: reading and signing Content Credentials (ms, least of the rounds)');
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
    await measureDelays(report, service, files);
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

/** One way of using a file: over HTTP, and directly in the same round. */
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
    // What the engine does for the caller; the rest is added.
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
      const { readMs } = await direct.read({ ...file, bytes: signed });
      return { engineMs: signMs, wholeMs, verifiedMs: wholeMs + readMs };
    },
    engineMs: ({ sign, signature }) => sign - signature,
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
  if (rounds[0].direct.verifiedMs !== undefined)
    report.figure(
      `${use.name}: end to end / engine directly, signing and verifying`,
      least(({ wholeMs }) => wholeMs) / least(({ direct }) => direct.verifiedMs),
    );
}

async function measureRound(use) {
  const before = await readMetrics(use.service);
  const wholeMs = await use.call();
  const after = await readMetrics(use.service);
  const passes = Object.fromEntries(
    Object.entries(after.passes).map(([pass, ms]) => [pass, ms - (before.passes[pass] ?? 0)]),
  );
  return { wholeMs, passes, direct: await use.callDirectly() };
}

/** The event loop of the service while files are embedded, and that of a process beside it that does nothing. */
async function measureDelays(report, service, files) {
  const idle = fork(new URL('./support/idle-loop.mjs', import.meta.url));
  endWithUs(idle);
  try {
    for (const file of files) {
      const embeds = await embedFor(LOAD_SECONDS, { service, file, idle });
      const { lagP99Ms } = await readMetrics(service);
      report.note(
        `${embeds} embeds of a ${file.name}; an idle process beside them: ${(await ask(idle)).toFixed(1)} ms`,
      );
      const name = `event loop's delay, p99, while embeds of a ${file.name} run`;
      report.figure(name, lagP99Ms, { unit: ' ms', target: { atMost: 20 } });
    }
  } finally {
    idle.kill();
  }
}

async function ask(idle) {
  const answered = once(idle, 'message');
  idle.send('tell');
  return (await answered)[0];
}

/** Two callers embed the file, one time after the other each; how often they did. */
async function embedFor(seconds, { service, file, idle }) {
  const form = toForm(file.bytes, { ...SAID, entityId: PERFORMER });
  await Promise.all([readMetrics(service), ask(idle)]);
  const deadlineMs = performance.now() + seconds * 1000;
  let embeds = 0;
  const call = async () => {
    while (performance.now() < deadlineMs) {
      await postForm(service, '/v1/media/embed', form);
      embeds += 1;
    }
  };
  await Promise.all([call(), call()]);
  return embeds;
}
