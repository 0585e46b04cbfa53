import { expect, it } from 'vitest';
import { askAsPage, PASSWORD, signUpFirst } from '../support/page-user.js';
import { ANY_ENGINE, startService } from '../support/service.js';

/** No test depends on the cost of the hashes. */
const CHEAP = { costLog2: 10, blockSize: 8, parallelism: 1 };

it('attempts from other networks do not lock out a user who signed in from this network within 30 days', async () => {
  const service = await startService(ANY_ENGINE, {
    environment: { TRUST_PROXY: 'true' },
    overrides: { signInPace: { perAddress: 100, perAccount: 4, passwordCost: CHEAP } },
  });
  const signIn = async (address: string, password = PASSWORD) => {
    const headers = { 'x-forwarded-for': address };
    return (await askAsPage(service, '/session', { body: { name: 'ann', password }, headers })).status;
  };
  const guess = async (address: string, count: number) => {
    const statuses: number[] = [];
    for (let made = 0; made < count; made++) statuses.push(await signIn(address, 'wrong password'));
    return statuses;
  };
  await signUpFirst(service);
  expect([await signIn('2001:db8:7:7::1'), await signIn('192.0.2.50')]).toEqual([201, 201]);
  expect(await guess('192.0.2.1', 3)).toEqual([401, 429, 429]);
  expect([await signIn('2001:db8:7:7::2'), await signIn('192.0.2.50')]).toEqual([201, 201]);
  expect(await signIn('2001:db8:7:8::1')).toBe(429);
  // 5 attempts for each network, of which the two sign-ins used 2.
  expect(await guess('2001:db8:7:7::3', 4)).toEqual([401, 401, 401, 429]);
  await service.context.databases.control.query(
    "update control.audit_entry set at = at - interval '31 days' where address = '192.0.2.50'",
  );
  expect(await signIn('192.0.2.50')).toBe(429);
  await service.stop();
});
