// Gas of anchors, and the rate of recordings with and without anchoring, on a local chain.
import { startChain, until } from './support/chain.mjs';
import { startLoad } from './support/load.mjs';
import { startPostgres } from './support/postgres.mjs';
import { createPerformer, KEY, startService } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';
import { PERFORMER } from './support/typical-action.mjs';

const CALLERS = 32;
const ROUNDS = 5;
const SECONDS = 3;
const BATCHES = [1, 10, 100, 1_000];

export async function run(report) {
  const chain = await startChain();
  try {
    const { environment, registry } = await chain.deploy();
    report.section('anchoring: gas');
    report.figure('gas to create the registry, once', registry.gasUsed);
    await measureGas(report, chain, { ...environment, BLOCKCHAIN_ANCHOR_SECONDS: '0' });
    report.section(`anchoring: POST /v1/action, ${CALLERS} callers, PostgreSQL with fsync`);
    await measureRecordings(report, { ...environment, BLOCKCHAIN_ANCHOR_SECONDS: '1' });
  } finally {
    await chain.stop();
  }
}

/** While the chain mines no block, all recorded actions wait for one anchor. */
async function measureGas(report, { ask }, environment) {
  const service = await startService(environment);
  try {
    await createPerformer(service, { id: PERFORMER });
    for (const size of BATCHES) {
      // The first anchor waits for a block, so the following actions wait for the next anchor.
      await ask('anvil_setAutomine', [false]);
      await record(service);
      await until(async () => Number((await ask('txpool_status', [])).pending) === 1);
      const ids = [];
      while (ids.length < size) ids.push(await record(service));
      await ask('evm_mine', []);
      await ask('anvil_setAutomine', [true]);
      const { onchain } = await until(async () => {
        const action = await readAction(service, ids.at(-1));
        return action.onchain?.blockNumber !== undefined && action;
      });
      const first = await readAction(service, ids[0]);
      if (first.onchain.txHash !== onchain.txHash) throw new Error('Expected one anchor, found two');
      const { gasUsed } = await ask('eth_getTransactionReceipt', [onchain.txHash]);
      report.figure(`gas per action, ${size} actions in one anchor`, Number(gasUsed) / size);
    }
  } finally {
    await service.stop();
  }
}

async function measureRecordings(report, environment) {
  const postgres = await startPostgres();
  const load = startLoad();
  const services = [];
  try {
    const cases = { off: {}, on: environment };
    const speeds = { off: [], on: [] };
    for (const [name, more] of Object.entries(cases)) {
      const service = await startService({
        DATABASE_URL: await postgres.createDatabase(`anchoring_${name}`),
        ...more,
      });
      services.push(service);
      await createPerformer(service, { id: PERFORMER });
    }
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [place, name] of Object.keys(cases).entries()) {
        const keys = Array(CALLERS).fill(KEY);
        const { perSecond } = await load.run({ port: services[place].port, keys, seconds: SECONDS });
        // Round 0 loads and compiles code, so it does not count.
        if (round > 0) speeds[name].push(perSecond);
      }
    }
    for (const [name, rounds] of Object.entries(speeds))
      report.note(`${name}: ${rounds.map(Math.round).join(', ')} actions/s`);
    const ratios = speeds.on.map((speed, round) => speed / speeds.off[round]);
    report.figure('recordings a second, anchoring on / off', medianOf(ratios));
  } finally {
    for (const service of services) await service.stop();
    await load.stop();
    await postgres.stop();
  }
}

async function record({ base }) {
  const answer = await fetch(`${base}/v1/action`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ performedBy: PERFORMER }),
  });
  return (await answer.json()).actionId;
}

async function readAction({ base }, id) {
  const answer = await fetch(`${base}/v1/action/${id}`, { headers: { authorization: `Bearer ${KEY}` } });
  return answer.json();
}
