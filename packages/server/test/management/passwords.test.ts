import { afterEach, expect, it } from 'vitest';
import { createPasswords, type Passwords } from '../../src/management/sessions/passwords.js';

const CHEAP = { costLog2: 4, blockSize: 8, parallelism: 1 };
const NETWORK = '2001:db8:1:1::';

const opened: Passwords[] = [];
afterEach(() => Promise.all(opened.splice(0).map((passwords) => passwords.close())));

function open(threads: number): Passwords {
  const passwords = createPasswords(CHEAP, threads);
  opened.push(passwords);
  return passwords;
}

/** Checks passwords without an account. Returns the results in the order in which the checks end. */
function check(passwords: Passwords, addresses: readonly string[]) {
  const ended: string[] = [];
  const checks = addresses.map((address) =>
    passwords.matches('any', undefined, { address }).then(
      () => ended.push(address),
      (error: { code: string }) => ended.push(`${address} ${error.code}`),
    ),
  );
  return Promise.all(checks).then(() => ended);
}

it('a network with many password checks does not delay the check of another address', async () => {
  const many = Array.from({ length: 7 }, (_, host) => `${NETWORK}${host + 1}`);
  const ended = await check(open(2), [...many, '192.0.2.7']);
  // Two checks run at a time. So the other address has its turn after at most three checks of the network.
  expect(ended.indexOf('192.0.2.7')).toBeLessThanOrEqual(4);
  expect(ended).toHaveLength(8);
});

it('one network fills only a fifth of the places for waiting checks', async () => {
  const many = Array.from({ length: 60 }, (_, host) => `${NETWORK}${host + 1}`);
  const ended = await check(open(2), [...many, '192.0.2.7']);
  expect(ended.filter((result) => result.endsWith(' Unavailable'))).toHaveLength(48);
  expect(ended).toContain('192.0.2.7');
});

it('a waiting check whose client has left does not begin', async () => {
  const passwords = open(1);
  const gone = new AbortController();
  const first = passwords.matches('any', undefined, { address: '192.0.2.7' });
  // A check that begins would resolve to false.
  const left = passwords.matches('any', undefined, { address: '192.0.2.8', signal: gone.signal });
  gone.abort(new Error('the client left'));
  await expect(left).rejects.toThrow('the client left');
  expect(await first).toBe(false);
});
