// Time of computing and splitting shares, from weights and over histories.
import { distributeBundle, distributeByWeight, splitAmount } from '@colophon/model';
import { medianOf } from './support/statistics.mjs';

const RECIPIENTS = 100_000;
const ACTIONS = 10_000;
const ROUNDS = 7;

const WEIGHTS = {
  integers: (n) => (n % 977) + 1,
  decimals: (n) => `${n % 977}.${n % 1000}`,
  fractions: (n) => `${(n % 977) + 1}/${(n % 97) + 1}`,
};

export async function run(report) {
  report.section('shares: exact integers, in this process');
  const target = { unit: ' ms', target: { atMost: 1000 } };
  for (const [name, weightOf] of Object.entries(WEIGHTS)) {
    const recipients = namesOf(RECIPIENTS).map((entityId, n) => ({ entityId, weight: weightOf(n) }));
    const wallMs = timeOf(() => distributeByWeight(recipients));
    report.figure(`10^5 recipients, weights as ${name}`, wallMs, target);
  }
  const shares = namesOf(RECIPIENTS).map((entityId, n) => ({ entityId, share: n }));
  report.figure(
    'an amount of 256 bits among 10^5',
    timeOf(() => splitAmount(2n ** 256n - 1n, shares)),
    target,
  );
  for (const [name, bundle] of Object.entries({ chain: chainOf(ACTIONS), diamonds: diamondsOf(ACTIONS / 2) }))
    report.figure(
      `all-ancestors over 10^4 actions, ${name}`,
      timeOf(() => distributeBundle(bundle, { policy: 'all-ancestors' })),
      { unit: ' ms' },
    );
}

/** The first two rounds compile code and do not count. */
function timeOf(work) {
  const times = [];
  for (let round = -2; round < ROUNDS; round++) {
    const startedMs = performance.now();
    work();
    if (round >= 0) times.push(performance.now() - startedMs);
  }
  return medianOf(times);
}

function namesOf(count) {
  return Array.from({ length: count }, (_, n) => `studio:${n}`);
}

function chainOf(length) {
  return toBundle(
    namesOf(length).map((_, n) => ({ id: `${n}`, inputCids: [`c${n + 1}`], outputCids: [`c${n}`] })),
  );
}

/** Each content uses both contents of the previous generation. */
function diamondsOf(generations) {
  const sides = ['', 'x'];
  return toBundle(
    namesOf(generations).flatMap((_, n) =>
      sides.map((side) => ({
        id: `${n}${side}`,
        inputCids: sides.map((other) => `c${n + 1}${other}`),
        outputCids: [`c${n}${side}`],
      })),
    ),
  );
}

function toBundle(actions) {
  const attributions = actions.map(({ id }) => ({ entityId: `e${id}`, actionId: id, role: 'creator' }));
  return { cid: 'c0', actions, attributions, entities: [], complete: true };
}
