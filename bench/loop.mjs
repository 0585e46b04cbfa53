// Delay of the service's event loop during uploads and signing, compared with an idle process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAID } from './support/direct-engine.mjs';
import { makePhoto } from './support/generated-media.mjs';
import { uploadContent } from './support/large-form.mjs';
import { postForm, readMetrics, toForm } from './support/media-calls.mjs';
import { endWithUs } from './support/processes.mjs';
import { createPerformer, startService } from './support/service.mjs';
import { PERFORMER } from './support/typical-action.mjs';

const LOAD_SECONDS = 10;
const UPLOAD_MEBIBYTES = 32;
const UPLOADERS = 2;
const EMBEDDERS = 2;

export async function run(report) {
  report.section("loop: the event loop's delay, p99, while uploads and embeds run");
  const directory = mkdtempSync(join(tmpdir(), 'colophon-bench-loop-'));
  const idle = fork(new URL('./support/idle-loop.mjs', import.meta.url));
  endWithUs(idle);
  let service;
  try {
    service = await startService({ DATA_DIR: join(directory, 'data') });
    await createPerformer(service, { id: PERFORMER });
    const small = await makePhoto({ width: 640, height: 480, quality: 88 });
    const large = await makePhoto({ width: 4000, height: 3000, quality: 93 });
    const loads = {
      nothing: [],
      [`uploads of ${UPLOAD_MEBIBYTES} MiB`]: uploaders(service),
      'embeds of a small JPEG': embedders(service, small),
      'embeds of a large JPEG': embedders(service, large),
      'uploads and embeds of a large JPEG': [...uploaders(service), ...embedders(service, large)],
    };
    // The first runs load code and grow memory pools, so they do not count.
    for (const work of [...uploaders(service), ...embedders(service, large)]) await work();
    for (const [name, workers] of Object.entries(loads))
      await measure(report, { name, workers, service, idle });
  } finally {
    idle.kill();
    await service?.stop();
    rmSync(directory, { recursive: true });
  }
}

let uploads = 0;

function uploaders(service) {
  return Array(UPLOADERS).fill(() => uploadContent(service, UPLOAD_MEBIBYTES, uploads++));
}

function embedders(service, bytes) {
  const file = { bytes: new Uint8Array(bytes), mediaType: 'image/jpeg' };
  const form = toForm(file.bytes, { ...SAID, entityId: PERFORMER });
  return Array(EMBEDDERS).fill(() => postForm(service, '/v1/media/embed', form));
}

async function measure(report, { name, workers, service, idle }) {
  await Promise.all([readMetrics(service), ask(idle)]);
  const deadlineMs = performance.now() + LOAD_SECONDS * 1000;
  let count = 0;
  const repeat = async (work) => {
    while (performance.now() < deadlineMs) {
      await work();
      count += 1;
    }
  };
  const atLeast = new Promise((resolve) => setTimeout(resolve, LOAD_SECONDS * 1000));
  await Promise.all([atLeast, ...workers.map(repeat)]);
  const { lagP99Ms } = await readMetrics(service);
  report.note(
    `${name}: ${count} requests; p99 of an idle process at the same time: ${(await ask(idle)).toFixed(1)} ms`,
  );
  report.figure(name, lagP99Ms, { unit: ' ms', target: { atMost: 20 } });
}

async function ask(idle) {
  const answered = once(idle, 'message');
  idle.send('tell');
  return (await answered)[0];
}
