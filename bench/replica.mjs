// Time of reads with a replica, and the load that it removes from the primary.
import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection, toMessage } from './support/connection.mjs';
import { chainOf, recordChain } from './support/history.mjs';
import { startPostgres, withClient } from './support/postgres.mjs';
import { cpuSeconds } from './support/processes.mjs';
import { KEY, startService } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';

const SIZES = { 1: 400, 100: 100, 1000: 20 };
const ROUNDS = 3;

export async function run(report) {
  report.section('replica: GET /v1/bundle/:cid from a replica, relative to the primary');
  const primary = await startPostgres();
  const replica = await startPostgres({ standbyOf: primary });
  const services = [];
  try {
    const url = await primary.createDatabase('replica');
    const chain = chainOf(1000);
    services.push(await startService({ DATABASE_URL: url }));
    await recordChain(services[0], chain);
    await withClient(url, (client) => client.query('vacuum analyze'));
    services.push(await startService({ DATABASE_URL: url, DATABASE_REPLICA_URL: replica.urlOf('replica') }));
    await untilRead(services[1]);
    for (const [size, repetitions] of Object.entries(SIZES)) {
      const rounds = [];
      for (let round = 0; round < ROUNDS; round++)
        rounds.push({
          alone: await measure(services[0], primary, { cid: chain[size - 1], repetitions }),
          beside: await measure(services[1], primary, { cid: chain[size - 1], repetitions }),
        });
      tell(report, size, rounds);
    }
    report.note(`reads by server: ${await countReads(services[1])}`);
  } finally {
    for (const service of services) await service.stop();
    await replica.stop();
    await primary.stop();
  }
}

async function measure(service, primary, { cid, repetitions }) {
  const connection = await openConnection(service.port);
  const message = toMessage({ path: `/v1/bundle/${cid}`, key: KEY });
  const times = [];
  const before = cpuSeconds(primary.pid);
  for (let count = 0; count < repetitions; count++) {
    const startMs = performance.now();
    await connection.send(message);
    times.push(performance.now() - startMs);
  }
  const cpuMs = ((cpuSeconds(primary.pid) - before) * 1000) / repetitions;
  connection.close();
  return { ms: medianOf(times), cpuMs };
}

function tell(report, size, rounds) {
  const of = (name, member) => medianOf(rounds.map((round) => round[name][member]));
  const figures = (member) =>
    `${of('beside', member).toFixed(2)} against ${of('alone', member).toFixed(2)} ms`;
  report.figure(`${size} actions, time of a read (${figures('ms')})`, of('beside', 'ms') / of('alone', 'ms'));
  report.figure(
    `${size} actions, CPU of the primary (${figures('cpuMs')})`,
    of('beside', 'cpuMs') / of('alone', 'cpuMs'),
  );
}

async function untilRead({ base }) {
  for (;;) {
    const { checks } = await (await fetch(`${base}/readyz`)).json();
    if (checks.replica === 'ok') return;
    await sleep(100);
  }
}

async function countReads({ base }) {
  const text = await (await fetch(`${base}/metrics`)).text();
  return [...text.matchAll(/^colophon_record_reads_total\{from="(\w+)"\} (\d+)/gm)]
    .map(([, from, count]) => `${from} ${count}`)
    .join(', ');
}
