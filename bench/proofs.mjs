// Time of the first proof and of later proofs in a log of 100,000 leaves, or of `--leaves`.
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { parseTrustedLog, verifyBundle } from '../packages/model/dist/index.js';
import { createVerifySignature } from '../packages/server/dist/access/ed25519.js';
import { cidOf } from './support/content-ids.mjs';
import { chainOf, recordChain } from './support/history.mjs';
import { startPostgres, WITHOUT_DURABILITY } from './support/postgres.mjs';
import { readMemory, resetPeakMemory } from './support/processes.mjs';
import { KEY, startService } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';
import { PERFORMER, toActionBody } from './support/typical-action.mjs';

const LEAVES = 100_000;
const LEAVES_OF_ACTION = 2;
const BATCH = 500;
const CALLERS = 4;
/** Numbers of actions in the bundles. All bundles are of one chain. */
const LENGTHS = [10, 100, 1000];
const REPETITIONS = 20;

export async function run(report, { leaves = LEAVES }) {
  report.section(`proofs: bundles in a log of ${leaves} leaves, PostgreSQL`);
  const postgres = await startPostgres({ settings: WITHOUT_DURABILITY });
  const service = await startService({
    DATABASE_URL: await postgres.createDatabase('proofs'),
    SERVER_SIGNING_KEY: '07'.repeat(32),
  });
  try {
    const chain = chainOf(Math.max(...LENGTHS));
    await recordChain(service, chain);
    await recordMany(service, leaves / LEAVES_OF_ACTION - chain.length);
    const ask = (length, query) => timeAsk(service, `/v1/bundle/${chain[length - 1]}${query}`);
    await timeFirst(report, { service, leaves, ask: () => ask(LENGTHS[0], '?proof=true') });
    for (const length of LENGTHS) await compare(report, { service, length, ask });
  } finally {
    await service.stop();
    await postgres.stop();
  }
}

async function timeFirst(report, { service, leaves, ask }) {
  resetPeakMemory(service.pid);
  const { residentBytes } = readMemory(service.pid);
  const { ms } = await ask();
  const grown = (readMemory(service.pid).peakBytes - residentBytes) / 2 ** 20;
  report.note(`first proof: ${(ms / 1000).toFixed(1)} s; memory grew by ${Math.round(grown)} MiB`);
  report.figure('first proof, time for each 1,000 leaves', ms / (leaves / 1000), { unit: ' ms' });
}

async function compare(report, { service, length, ask }) {
  const rounds = await repeat(async () => ({
    plain: (await ask(length, '')).ms,
    later: (await ask(length, '?proof=true')).ms,
  }));
  const plain = medianOf(rounds.map((round) => round.plain));
  const later = medianOf(rounds.map((round) => round.later));
  const recorded = await repeat(async () => {
    await recordMany(service, 1);
    return ask(length, '?proof=true');
  });
  const afterOne = medianOf(recorded.map(({ ms }) => ms));
  report.note(
    `a bundle of ${length}: plain ${plain.toFixed(1)} ms, proven ${later.toFixed(1)} ms, after a recording ${afterOne.toFixed(1)} ms`,
  );
  report.figure(`a later proof of ${length} / the plain bundle`, later / plain, { target: { atMost: 3 } });
  report.figure(`a proof of ${length} after a recording / a later proof`, afterOne / later);
  await timeVerify(report, service, recorded.at(-1).bundle);
}

async function timeVerify(report, service, bundle) {
  const { verifierKey } = (await timeAsk(service, '/v1/log')).bundle;
  const trusted = parseTrustedLog(verifierKey);
  const verify = createVerifySignature();
  const startMs = performance.now();
  let count = 0;
  for (; performance.now() - startMs < 2_000; count++)
    if (!verifyBundle(bundle, trusted, verify).verified) throw new Error('A proven bundle does not verify');
  report.note(
    `verified: ${Math.round(count / 2)} bundles of ${bundle.proof.records.length} records a second`,
  );
}

async function repeat(work) {
  const values = [];
  for (let index = 0; index < REPETITIONS; index++) values.push(await work());
  return values;
}

let made = 0;

async function recordMany(service, count) {
  const batches = Array.from({ length: Math.ceil(count / BATCH) }, (_, place) =>
    Array.from({ length: Math.min(BATCH, count - place * BATCH) }, () => ({
      ...toActionBody({
        inputs: [cidOf(`made ${made}`)],
        output: cidOf(`made ${++made}`),
        sessionId: 'many',
      }),
      performedBy: PERFORMER,
    })),
  );
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (let actions = batches.shift(); actions !== undefined; actions = batches.shift()) {
        const answer = await fetch(`${service.base}/v1/batch`, {
          method: 'POST',
          headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
          body: JSON.stringify({ actions }),
        });
        if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
        await answer.arrayBuffer();
      }
    }),
  );
}

async function timeAsk({ base }, path) {
  const startMs = performance.now();
  const { status, body } = await get(base + path);
  const ms = performance.now() - startMs;
  if (status !== 200) throw new Error(`${status} ${body}`);
  return { ms, bundle: JSON.parse(body) };
}

/** The first proof in a large log takes longer than the five minutes that `fetch` waits. */
async function get(url) {
  const headers = { authorization: `Bearer ${KEY}` };
  const answer = await new Promise((resolve, reject) => {
    request(url, { headers }, resolve).on('error', reject).end();
  });
  return { status: answer.statusCode, body: await text(answer) };
}
