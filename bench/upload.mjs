// Measures uploads of 1 GiB: the growth of the memory, and the CPU against only hashing and writing the same bytes.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentOf, uploadContent } from './support/large-form.mjs';
import {
  collect,
  cpuSeconds,
  endedChildrenSeconds,
  readMemory,
  resetPeakMemory,
  userSeconds,
} from './support/processes.mjs';
import { startService } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';

const MEBIBYTE = 2 ** 20;
const SIZE_MEBIBYTES = 1024;
const ROUNDS = 3;

export async function run(report) {
  report.section('upload: 1 GiB into DATA_DIR');
  const directory = mkdtempSync(join(tmpdir(), 'colophon-bench-upload-'));
  let service;
  try {
    const data = join(directory, 'data');
    service = await startService({ DATA_DIR: data, MAX_UPLOAD_BYTES: String(2 * 2 ** 30) });
    // The first uploads load code and grow memory pools, so they do not count.
    for (const size of [16, 17, 18]) await uploadContent(service, size, 'of warming up');
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measureRound(service, directory, round));
    judge(report, rounds);
  } finally {
    await service?.stop();
    rmSync(directory, { recursive: true });
  }
}

function judge(report, rounds) {
  const seconds = (name) => rounds.map((one) => one[name].toFixed(2)).join(', ');
  const meanings = {
    server: 'the service, kernel included',
    user: 'the service, without the kernel',
    openssl: 'openssl dgst -sha256',
    leaves: 'SHA-256 of each 1 MiB leaf, as the CID needs',
    write: 'writing and syncing the file',
  };
  for (const [name, meaning] of Object.entries(meanings)) report.note(`${meaning}: ${seconds(name)} CPU s`);
  const ratio = (of, floor) => medianOf(rounds.map((one) => one[of] / floor(one)));
  const hashing = ({ openssl, leaves }) => openssl + leaves;
  report.figure(
    'CPU / (openssl + leaves + writing)',
    ratio('server', (one) => hashing(one) + one.write),
    { target: { atMost: 2 } },
  );
  report.figure('CPU / (openssl + leaves)', ratio('server', hashing));
  report.figure('CPU without the kernel / (openssl + leaves)', ratio('user', hashing), {
    target: { atMost: 1.5 },
  });
  const growth = Math.max(...rounds.map(({ growthMebibytes }) => growthMebibytes));
  report.figure('resident memory, largest growth', growth, { unit: ' MiB', target: { atMost: 80 } });
}

async function measureRound(service, directory, round) {
  const { residentBytes } = readMemory(service.pid);
  resetPeakMemory(service.pid);
  const before = { all: cpuSeconds(service.pid), user: userSeconds(service.pid) };
  await uploadContent(service, SIZE_MEBIBYTES, round);
  const server = cpuSeconds(service.pid) - before.all;
  const user = userSeconds(service.pid) - before.user;
  const growthMebibytes = (readMemory(service.pid).peakBytes - residentBytes) / MEBIBYTE;

  // Overwriting an older file costs the kernel only a third as much.
  const file = join(directory, `content-${round}`);
  const write = await ownSeconds(() => writeContent(file, round));
  const childrenBefore = endedChildrenSeconds();
  await collect(['openssl', 'dgst', '-sha256', file]);
  const openssl = endedChildrenSeconds() - childrenBefore;
  return {
    server,
    user,
    growthMebibytes,
    write,
    openssl,
    leaves: await ownSeconds(() => hashLeaves(round)),
  };
}

async function ownSeconds(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** A socket delivers pieces of 64 KiB. */
async function writeContent(file, round) {
  const handle = await open(file, 'w');
  for (const block of contentOf(SIZE_MEBIBYTES, round))
    for (let offset = 0; offset < block.length; offset += 65_536) await handle.write(block, offset, 65_536);
  await handle.sync();
  await handle.close();
}

function hashLeaves(round) {
  for (const block of contentOf(SIZE_MEBIBYTES, round)) createHash('sha256').update(block).digest();
}
