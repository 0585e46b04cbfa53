// Delay until three witnesses have cosigned a checkpoint, and the CPU that the witnesses add.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cidOf } from './support/content-ids.mjs';
import { post } from './support/history.mjs';
import { startPostgres } from './support/postgres.mjs';
import { cpuSeconds, end, endWithUs } from './support/processes.mjs';
import { createPerformer, KEY, startService } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';
import { PERFORMER, toActionBody } from './support/typical-action.mjs';

const CLI = fileURLToPath(new URL('../packages/server/dist/cli.js', import.meta.url));
const WITNESSES = 3;
const INTERVAL_SECONDS = 1;
const DELAYS = 15;
const ROUNDS = 5;
const ROUND_SECONDS = 5;
const RECORDING_INTERVAL_MS = 100;
const POLL_MS = 10;
const ENVIRONMENT = { SERVER_SIGNING_KEY: '07'.repeat(32), PUBLIC_URL: 'https://example.org' };

export async function run(report) {
  report.section(`witnesses: checkpoints with ${WITNESSES} witnesses, PostgreSQL`);
  const folder = mkdtempSync(join(tmpdir(), 'colophon-witnesses-'));
  const postgres = await startPostgres();
  const ends = [() => postgres.stop()];
  const start = async (name, environment = {}) => {
    const service = await startService({
      DATABASE_URL: await postgres.createDatabase(name),
      ...ENVIRONMENT,
      ...environment,
    });
    ends.unshift(() => service.stop());
    await createPerformer(service, { id: PERFORMER });
    return service;
  };
  try {
    const alone = await start('alone');
    const { verifierKey } = await ask(alone, '/v1/log').then((answer) => answer.json());
    const witnesses = [];
    for (let index = 0; index < WITNESSES; index++) {
      const witness = await startWitness(join(folder, String(index)), verifierKey);
      ends.unshift(() => end(witness.child, 'SIGTERM'));
      witnesses.push(witness);
    }
    const witnessed = await start('witnessed', {
      WITNESSES: witnesses.map(({ key, url }) => `${key} ${url}`).join(','),
      WITNESS_INTERVAL: String(INTERVAL_SECONDS),
    });
    await timeDelay(report, witnessed);
    await countCpu(report, { alone, witnessed, witnesses });
  } finally {
    for (const stop of ends) await stop();
    rmSync(folder, { recursive: true });
  }
}

async function timeDelay(report, service) {
  const delaysMs = [];
  for (let index = 0; index < DELAYS; index++) {
    // Spreads the recordings over the whole interval.
    await sleep((INTERVAL_SECONDS * 1000 * index) / DELAYS);
    await record(service);
    const startMs = performance.now();
    const size = sizeOf(await readCheckpoint(service));
    for (;;) {
      const text = await readCheckpoint(service);
      if (sizeOf(text) >= size && text.match(/^— /gm).length > WITNESSES) break;
      await sleep(POLL_MS);
    }
    delaysMs.push(performance.now() - startMs);
  }
  const worst = Math.max(...delaysMs);
  report.note(
    `the delay of ${DELAYS} recordings: median ${Math.round(medianOf(delaysMs))} ms, at most ${Math.round(worst)} ms`,
  );
  report.figure(
    `the longest delay beyond the interval of ${INTERVAL_SECONDS} s`,
    worst - INTERVAL_SECONDS * 1000,
    {
      unit: ' ms',
    },
  );
}

/** The log grows in each interval. */
async function countCpu(report, { alone, witnessed, witnesses }) {
  const used = { alone: 0, witnessed: 0, witnesses: 0 };
  const sumOfWitnesses = () => witnesses.reduce((sum, { child }) => sum + cpuSeconds(child.pid), 0);
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, service] of Object.entries({ alone, witnessed })) {
      const [before, beforeWitnesses] = [cpuSeconds(service.pid), sumOfWitnesses()];
      const endMs = performance.now() + ROUND_SECONDS * 1000;
      while (performance.now() < endMs) {
        await record(service);
        await sleep(RECORDING_INTERVAL_MS);
      }
      used[name] += cpuSeconds(service.pid) - before;
      if (name === 'witnessed') used.witnesses += sumOfWitnesses() - beforeWitnesses;
    }
  const checkpoints = (ROUNDS * ROUND_SECONDS) / INTERVAL_SECONDS;
  const toMs = (seconds) => (seconds / checkpoints) * 1000;
  report.figure('CPU of the service for each cosigned checkpoint', toMs(used.witnessed - used.alone), {
    unit: ' ms',
  });
  report.figure('CPU of a witness for each checkpoint', toMs(used.witnesses / WITNESSES), { unit: ' ms' });
}

let recorded = 0;
const record = (service) =>
  post(service, '/v1/action', {
    ...toActionBody({ inputs: [], output: cidOf(`witnessed ${recorded++}`), sessionId: 'witnessed' }),
    performedBy: PERFORMER,
  });

async function ask({ base }, path) {
  const answer = await fetch(base + path, { headers: { authorization: `Bearer ${KEY}` } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

const readCheckpoint = async (service) => (await ask(service, '/v1/log/checkpoint')).text();
const sizeOf = (checkpoint) => Number(checkpoint.split('\n')[1]);

async function startWitness(directory, log) {
  const child = spawn(process.execPath, [CLI, 'witness', '--dir', directory, '--port', '0', '--log', log], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithUs(child);
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (/^address +\S+\n/m.test(printed)) break;
  }
  const [, key] = /^key +(\S+)$/m.exec(printed) ?? [];
  const [, url] = /^address +(\S+)$/m.exec(printed) ?? [];
  if (key === undefined || url === undefined) throw new Error('The witness did not start.');
  return { child, key, url };
}
