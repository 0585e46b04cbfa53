import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPasswordTurn, rememberNetwork } from '../../src/management/sessions/password-turn.js';
import {
  askAsPage,
  inviteToPlanet,
  PASSWORD,
  type PageUser,
  signUp,
  signUpWithPlanet,
} from '../support/page-user.js';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';

/** The queue stays full while the test sends a few requests. */
const SLOW = { costLog2: 15, blockSize: 8, parallelism: 4 };
const CHEAP = { costLog2: 10, blockSize: 8, parallelism: 1 };

const start = (passwordCost = CHEAP) =>
  startService(ANY_ENGINE, {
    environment: { TRUST_PROXY: 'true', SIGN_IN_MAX_WAITING: '10', WORK_MAX_WAIT_MS: '60000' },
    overrides: {
      signInPace: { perAddress: 100, perAddressAndAccount: 100, perAccount: 100, passwordCost },
    },
  });

const signIn = (service: Service, from: string, { name = 'ann', password = PASSWORD } = {}) =>
  askAsPage(service, '/session', { body: { name, password }, headers: { 'x-forwarded-for': from } });

describe('attempts to sign in from many new networks', () => {
  let service: Service;
  let ann: PageUser;
  beforeAll(async () => {
    service = await start(SLOW);
    ann = await signUpWithPlanet(service);
    expect((await signIn(service, '2001:db8:7:7::1')).status).toBe(201);
  });
  afterAll(() => service.stop());

  /** Resolves when the service has refused the first attempt: the queue is full. */
  async function fillQueue() {
    const ended: number[] = [];
    const attempts = Array.from({ length: 30 }, async (_, at) => {
      const { status } = await signIn(service, `192.0.2.${at + 1}`, { name: `nobody${at}` });
      ended.push(status);
      return status;
    });
    expect(await Promise.race(attempts)).toBe(503);
    return { ended, attempts };
  }

  it('leave room in the queue for known networks, whatever the name, and for signed-in users', async () => {
    const { ended, attempts } = await fillQueue();
    const known = await Promise.all([
      signIn(service, '2001:db8:7:7::2'),
      signIn(service, '2001:db8:7:7::3', { name: 'nobody' }),
      ann.ask('/password', {
        method: 'PUT',
        body: { currentPassword: 'wrong password', newPassword: PASSWORD },
        headers: { 'x-forwarded-for': '198.51.100.2' },
      }),
    ]);
    const checked = ended.filter((status) => status === 401).length;
    expect(known.map(({ status }) => status)).toEqual([201, 401, 403]);
    const statuses = await Promise.all(attempts);
    expect(new Set(statuses)).toEqual(new Set([401, 503]));
    expect(checked).toBeLessThan(statuses.filter((status) => status === 401).length);
  });

  it('get the same response for the name of an account and for an unknown name', async () => {
    const { attempts } = await fillQueue();
    const answers = await Promise.all(
      ['ann', 'nobody'].map((name) => signIn(service, '198.51.100.1', { name })),
    );
    const [one, other] = await Promise.all(answers.map(async (answer) => (await answer.json()).error));
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    expect({ ...one, requestId: '' }).toEqual({ ...other, requestId: '' });
    expect(one.message).toContain('SIGN_IN_MAX_WAITING');
    await Promise.all(attempts);
  });
});

describe('the networks of earlier sign-ins', () => {
  let service: Service;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.stop());

  const control = () => service.context.databases.control;
  const turnOf = (address: string | null) => findPasswordTurn(control(), { address });
  const remember = (address: string, accountId: string) =>
    control().transaction((tx) => rememberNetwork(tx, { address }, accountId));
  const age = (address: string, accountId: string, time: string) =>
    control().query(
      `update control.sign_in_network
       set at = at - interval '${time}', first_at = first_at - interval '${time}'
       where network = '${address}' and account_id = '${accountId}'`,
    );

  it('include the network of a sign-up and of a sign-in, but not of a failed attempt', async () => {
    const ann = await signUpWithPlanet(service);
    expect(await turnOf('127.0.0.1')).toEqual({ account: 'local:ann' });
    const { invitation } = await inviteToPlanet(ann);
    await signUp(service, { name: 'ben', invitation });
    await signIn(service, '2001:db8:1:2::1', { name: 'ben' });
    await signIn(service, '2001:db8:1:3::1', { name: 'ben', password: 'wrong password' });
    expect(await turnOf('2001:db8:1:2:ffff::9')).toEqual({ account: 'local:ben' });
    expect(await turnOf('2001:db8:1:3::1')).toEqual({ network: '2001:db8:1:3::/64' });
    expect(await turnOf(null)).toEqual({ network: '' });
    // The network of both sign-ups uses the turns of the account that came first.
    expect(await turnOf('127.0.0.1')).toEqual({ account: 'local:ann' });
  });

  it('are known for 30 days after the stored sign-in', async () => {
    await remember('192.0.2.1', 'local:ann');
    await remember('192.0.2.2', 'local:ann');
    await age('192.0.2.1', 'local:ann', '29 days');
    await age('192.0.2.2', 'local:ann', '31 days');
    expect(await turnOf('192.0.2.1')).toEqual({ account: 'local:ann' });
    expect(await turnOf('192.0.2.2')).toEqual({ network: '192.0.2.2' });
  });

  it('use the turns of their first account, until it has not signed in there for 30 days', async () => {
    const address = '192.0.2.3';
    await remember(address, 'local:ann');
    await age(address, 'local:ann', '2 days');
    await remember(address, 'local:ben');
    await remember(address, 'local:ann');
    expect(await turnOf(address)).toEqual({ account: 'local:ann' });
    await age(address, 'local:ann', '31 days');
    await remember(address, 'local:ben');
    expect(await turnOf(address)).toEqual({ account: 'local:ben' });
    // An account that comes back after 30 days does not take its former place.
    await remember(address, 'local:ann');
    expect(await turnOf(address)).toEqual({ account: 'local:ben' });
  });

  it('are written at most once a day for each account, without a lock at other sign-ins', async () => {
    const address = '192.0.2.4';
    // A row has another `xmin` after a write, and another `xmax` after a lock.
    const readRow = () =>
      control().query(
        `select at, first_at, xmin::text, xmax::text from control.sign_in_network where network = '${address}'`,
      );
    await remember(address, 'local:ann');
    await age(address, 'local:ann', '23 hours');
    const before = await readRow();
    await remember(address, 'local:ann');
    expect(await readRow()).toEqual(before);
    await age(address, 'local:ann', '2 hours');
    await remember(address, 'local:ann');
    const [row] = await control().query<{ sinceFirst: boolean; isNow: boolean }>(
      `select first_at < now() - interval '24 hours' as "sinceFirst", at > now() - interval '1 hour' as "isNow"
       from control.sign_in_network where network = '${address}'`,
    );
    expect(row).toEqual({ sinceFirst: true, isNow: true });
  });
});
