import { afterEach, expect, it } from 'vitest';
import type { PasswordTurn } from '../../src/management/sessions/password-turn.js';
import {
  createPasswords,
  type PasswordOptions,
  type Passwords,
} from '../../src/management/sessions/passwords.js';

const CHEAP = { costLog2: 4, blockSize: 8, parallelism: 1 };

const opened: Passwords[] = [];
afterEach(() => Promise.all(opened.splice(0).map((passwords) => passwords.close())));

const OPTIONS: PasswordOptions = { cost: CHEAP, maxWaiting: 50, maxWaitMs: 60_000, threads: 1 };

function open(given: Partial<PasswordOptions> = {}): Passwords {
  const passwords = createPasswords({ ...OPTIONS, ...given });
  opened.push(passwords);
  return passwords;
}

/** Nobody signed in from these networks. */
const toNetworks = (count: number) => Array.from({ length: count }, (_, at) => ({ network: `n${at}` }));

/** Returns the results in the order in which the checks end. */
async function check(passwords: Passwords, turns: readonly PasswordTurn[]) {
  const ended: string[] = [];
  await Promise.all(
    turns.map((turn) => {
      const name = Object.values(turn).join();
      return passwords.matches('any', undefined, { turn }).then(
        () => ended.push(name),
        (error: { code: string }) => ended.push(`${name} ${error.code}`),
      );
    }),
  );
  return ended;
}

const isRefused = (result: string) => result.endsWith(' Unavailable');

it('a network with many password checks does not delay the check of another network', async () => {
  const many = Array.from({ length: 7 }, () => ({ network: 'busy' }));
  const ended = await check(open(), [...many, { network: 'calm' }]);
  // The first check already runs, and then the busy network has the first turn.
  expect(ended.indexOf('calm')).toBe(2);
  expect(ended).toHaveLength(8);
});

it.each([
  ['network', { network: 'busy' }, { network: 'calm' }],
  ['account', { account: 'busy' }, { account: 'calm' }],
])('one %s fills only a fifth of the places in its queue', async (_, busy, calm) => {
  const ended = await check(open({ threads: 2 }), [...Array.from({ length: 60 }, () => busy), calm]);
  expect(ended.filter(isRefused)).toHaveLength(48);
  expect(ended).toContain('calm');
});

it('checks from any number of new networks delay the check of a known account by at most one turn', async () => {
  const ended = await check(open(), [...toNetworks(200), { account: 'ann' }]);
  // One check ran already and 50 others waited. The service refused the rest at once, and none of the account.
  expect(ended.filter(isRefused)).toHaveLength(149);
  expect(ended.filter((result) => !isRefused(result)).indexOf('ann')).toBe(1);
});

it('checks of known accounts and checks from new networks each get every second turn', async () => {
  const known = ['a', 'b', 'c'].map((account) => ({ account }));
  const ended = await check(open(), [...known, ...toNetworks(3)]);
  expect(ended).toEqual(['a', 'n0', 'b', 'n1', 'c', 'n2']);
});

it('an account with many checks does not delay the check of another known account', async () => {
  const ended = await check(open(), [
    ...Array.from({ length: 8 }, () => ({ account: 'busy' })),
    { account: 'calm' },
  ]);
  expect(ended.indexOf('calm')).toBeLessThanOrEqual(2);
});

it('the error of a full queue names the variable, its value and the share of one caller', async () => {
  const passwords = open({ maxWaiting: 7 });
  const turn = { network: 'busy' };
  const checks = Array.from({ length: 4 }, () => passwords.matches('any', undefined, { turn }));
  await expect(checks[3]).rejects.toThrow('at most 7 (SIGN_IN_MAX_WAITING), and 2 of one network or account');
  expect(await Promise.all(checks.slice(0, 3))).toEqual([false, false, false]);
});

it('a waiting check whose client has left does not begin', async () => {
  const passwords = open();
  const gone = new AbortController();
  const first = passwords.matches('any', undefined, { turn: { network: 'n0' } });
  const left = passwords.matches('any', undefined, { turn: { network: 'n1' }, signal: gone.signal });
  gone.abort(new Error('the client left'));
  await expect(left).rejects.toThrow('the client left');
  expect(await first).toBe(false);
});

it.each([
  ['known accounts', { account: 'ann' }],
  ['new networks', { network: 'n1' }],
])(
  'a check in the queue of %s that waits too long gets 503, and its error names the variable',
  async (_, turn) => {
    const passwords = open({ cost: { ...CHEAP, costLog2: 15, parallelism: 8 }, maxWaitMs: 5 });
    const first = passwords.hash('any', { turn: { network: 'n0' } });
    const waiting = Promise.allSettled(['one', 'two'].map((password) => passwords.hash(password, { turn })));
    const refusal = {
      ...{ code: 'Unavailable', status: 503, headers: { 'retry-after': '1' } },
      message: expect.stringContaining('waited more than 5 ms (WORK_MAX_WAIT_MS)'),
    };
    // A known account waits for its queue, and a new network within its queue.
    for (const one of await waiting) expect(one).toMatchObject({ reason: refusal });
    expect(await first).toMatchObject({ costLog2: 15 });
  },
);

it('a check that waits while the service stops does not begin', async () => {
  const passwords = open();
  const checks = ['n0', 'n1'].map((network) => passwords.matches('any', undefined, { turn: { network } }));
  const settled = Promise.allSettled(checks);
  await passwords.close();
  for (const one of await settled) expect(one).toMatchObject({ reason: { code: 'Unavailable' } });
});
