import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignInPace } from '../../src/compose/sessions.js';
import { inviteFirstAccount } from '../../src/management/sessions/invite-member.js';
import { findInDatabases } from '../support/find-in-database.js';
import {
  askAsPage,
  cookiesOf,
  inviteToPlanet,
  PASSWORD,
  type PageUser,
  signUp,
  signUpFirst,
  signUpWithPlanet,
  toPageUser,
} from '../support/page-user.js';
import { ANY_ENGINE, MANAGEMENT_KEY, type Service, startService } from '../support/service.js';

describe('signing in', () => {
  let service: Service;
  let ann: PageUser;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    ann = await signUpWithPlanet(service);
  });
  afterAll(() => service.stop());

  const signIn = (name = 'ann', password = PASSWORD) =>
    askAsPage(service, '/session', { body: { name, password } });
  const signedIn = async () => toPageUser(service, await signIn());
  const invite = (role?: string) => inviteToPlanet(ann, role);
  const change = (sql: string) => service.context.databases.control.query(sql);

  it('the first account owns the configured organisation, and its invitation is not issued again', async () => {
    const orgs = await (await ann.ask('/management/orgs')).json();
    expect(orgs.map(({ slug, role }: Record<string, string>) => [slug, role])).toContainEqual([
      'local',
      'owner',
    ]);
    expect(await inviteFirstAccount(service.context.databases.control)).toBeUndefined();
  });

  it('GET /session returns the signed-in user or the ways to sign in, and neither response is cached', async () => {
    const nobody = await askAsPage(service, '/session');
    expect(await nobody.json()).toEqual({ signedIn: false, ways: { password: true, openId: null } });
    const known = await ann.ask('/session');
    expect(await known.json()).toMatchObject({
      signedIn: true,
      way: 'password',
      user: { id: 'local:ann' },
      csrfToken: ann.headers['x-csrf-token'],
    });
    for (const answer of [nobody, known]) expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('a wrong password and an unknown name get the same answer with 401', async () => {
    const wrong = await signIn('ann', 'not the password');
    const unknown = await signIn('nobody');
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const [one, other] = [await wrong.json(), await unknown.json()];
    expect({ ...one.error, requestId: '' }).toEqual({ ...other.error, requestId: '' });
    expect([cookiesOf(wrong), cookiesOf(unknown)]).toEqual(['', '']);
  });

  it('a name is case-insensitive, and a password works in every Unicode form', async () => {
    const { invitation } = await invite();
    const body = { invitation, name: 'Zoë-not'.replace('ë', 'e'), password: 'ﬁne words of a passphrase é' };
    expect((await askAsPage(service, '/accounts', { body })).status).toBe(201);
    expect((await signIn('ZOE-NOT', 'fine words of a passphrase e\u0301')).status).toBe(201);
  });

  it('the cookie is restricted to this host, hidden from scripts, and never sent from other sites', async () => {
    const [cookie = ''] = (await signIn()).headers.getSetCookie();
    expect(cookie).toMatch(
      /^colophon_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=60\d{4}$/,
    );
  });

  it('no column of the database contains a token, password or invitation in plain form', async () => {
    const { invitation } = await invite();
    const user = await signedIn();
    const token = user.headers.cookie?.split('=')[1] ?? '';
    for (const secret of [token, PASSWORD, invitation, user.headers['x-csrf-token'] ?? ''])
      expect(await findInDatabases(service.context.databases, secret)).toEqual([]);
  });

  it('the cookie gives no access to /v1 and /management, and a key gives none to /app/api', async () => {
    const { cookie = '' } = ann.headers;
    expect((await fetch(`${service.base}/v1/entities`, { headers: { cookie } })).status).toBe(401);
    const management = { cookie, 'x-user-id': ann.userId };
    expect((await fetch(`${service.base}/management/orgs`, { headers: management })).status).toBe(401);
    const headers = { authorization: `Bearer ${MANAGEMENT_KEY}`, 'x-user-id': 'operator' };
    expect((await askAsPage(service, '/management/orgs', { headers })).status).toBe(401);
  });

  it.each([
    ['no CSRF token', { 'x-csrf-token': '' }],
    ['a wrong CSRF token', { 'x-csrf-token': 'A'.repeat(43) }],
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin at all', { origin: 'null' }],
    ['a cross-site request according to the browser', { 'sec-fetch-site': 'cross-site' }],
    ['a same-site request from another host', { 'sec-fetch-site': 'same-site' }],
  ])('403 for a change with %s, and nothing is changed', async (_, headers) => {
    const refused = await ann.ask('/management/orgs', { body: { name: 'No', slug: 'forged' }, headers });
    expect([refused.status, (await refused.json()).error.code]).toEqual([403, 'Forbidden']);
    expect((await ann.ask('/session', { method: 'DELETE', headers })).status).toBe(403);
    expect((await ann.ask('/management/orgs/forged')).status).toBe(404);
  });

  it('403 for a sign-in from another site’s page, and for a sign-out without an origin', async () => {
    const body = { name: 'ann', password: PASSWORD };
    const refused = await askAsPage(service, '/session', {
      body,
      headers: { origin: 'https://evil.example' },
    });
    expect([refused.status, cookiesOf(refused)]).toEqual([403, '']);
    const { origin: _, ...headers } = ann.headers;
    expect((await fetch(`${service.base}/app/api/session`, { method: 'DELETE', headers })).status).toBe(403);
  });

  it('signing out ends the session, and no other', async () => {
    const [here, elsewhere] = [await signedIn(), await signedIn()];
    const out = await here.ask('/session', { method: 'DELETE' });
    expect(out.headers.getSetCookie()).toEqual([
      'colophon_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
    ]);
    expect((await here.ask('/management/orgs')).status).toBe(401);
    expect((await elsewhere.ask('/management/orgs')).status).toBe(200);
  });

  it.each([
    ['its end', "expires_at = now() - interval '1 second'"],
    ['12 idle hours', "seen_at = now() - interval '12 hours'"],
  ])('a session ends after %s', async (_, set) => {
    const user = await signedIn();
    const digest = `sha256(convert_to('${user.headers.cookie?.split('=')[1]}', 'UTF8'))`;
    await change(`update control.session set ${set} where token_digest = ${digest}`);
    expect((await user.ask('/management/orgs')).status).toBe(401);
    expect(await (await user.ask('/session')).json()).toMatchObject({ signedIn: false });
  });

  it('a session in use does not become idle', async () => {
    const user = await signedIn();
    const digest = `sha256(convert_to('${user.headers.cookie?.split('=')[1]}', 'UTF8'))`;
    await change(
      `update control.session set seen_at = now() - interval '11 hours' where token_digest = ${digest}`,
    );
    expect((await user.ask('/management/orgs')).status).toBe(200);
    const rows = await change(
      `select 1 from control.session where token_digest = ${digest} and seen_at > now() - interval '1 minute'`,
    );
    expect(rows).toHaveLength(1);
  });

  it('a change of the password requires the old password, and ends the other sessions', async () => {
    const { invitation } = await invite();
    const cy = await signUp(service, { name: 'cy', invitation });
    const elsewhere = await toPageUser(service, await signIn('cy'));
    const newPassword = 'another long passphrase';
    const put = (currentPassword: string) =>
      cy.ask('/password', { method: 'PUT', body: { currentPassword, newPassword } });
    expect((await put('wrong')).status).toBe(403);
    expect((await put(PASSWORD)).status).toBe(200);
    expect((await cy.ask('/management/orgs')).status).toBe(200);
    expect((await elsewhere.ask('/management/orgs')).status).toBe(401);
    expect([(await signIn('cy')).status, (await signIn('cy', newPassword)).status]).toEqual([401, 201]);
  });

  it('a sign-in with an old password fails if the password changes during the check', async () => {
    const { invitation } = await invite();
    await signUp(service, { name: 'dee', invitation });
    const answer = await service.context.databases.control.transaction(async (tx) => {
      await tx.query(
        "update control.password set derived = sha256('of another') where account_id = 'local:dee'",
      );
      const trying = signIn('dee');
      await Promise.race([trying, sleep(2_000)]);
      return { trying };
    });
    expect((await answer.trying).status).toBe(401);
  });

  describe('an invitation', () => {
    it('creates only one account, which becomes a member', async () => {
      const { invitation, path, expiresAt } = await invite('viewer');
      expect(path).toBe(`/app/manage/join#${invitation}`);
      expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
      const bo = await signUp(service, { name: 'bo', invitation });
      expect(await (await bo.ask('/management/orgs')).json()).toMatchObject([
        { slug: 'planet', role: 'viewer' },
      ]);
      const again = { invitation, name: 'mallory', password: PASSWORD };
      expect((await askAsPage(service, '/accounts', { body: again })).status).toBe(404);
    });

    it('makes a signed-in user a member, and stays usable if the user is a member already', async () => {
      const { invitation } = await invite();
      expect((await ann.ask('/memberships', { body: { invitation } })).status).toBe(409);
      const bo = await toPageUser(service, await signIn('bo'));
      const { invitation: ofOther } = await (
        await ann.ask('/management/orgs/local/invitations', { body: { role: 'viewer' } })
      ).json();
      const joined = await bo.ask('/memberships', { body: { invitation: ofOther } });
      expect([joined.status, await joined.json()]).toEqual([
        201,
        { orgSlug: 'local', orgName: 'Local', role: 'viewer' },
      ]);
      expect((await askAsPage(service, '/accounts', { body: account('eve', invitation) })).status).toBe(201);
    });

    it('admits one of ten concurrent users', async () => {
      const { invitation } = await invite();
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          askAsPage(service, '/accounts', { body: account(`racer-${index}`, invitation) }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(404)]);
    });

    it('stays usable after an attempt with a name that an account has, or a user without an account', async () => {
      const { invitation } = await invite();
      await service.manage('local:ann', '/orgs/planet/members', { body: { userId: 'local:reserved' } });
      for (const name of ['ann', 'reserved']) {
        expect((await askAsPage(service, '/accounts', { body: account(name, invitation) })).status).toBe(409);
      }
      expect((await askAsPage(service, '/accounts', { body: account('gus', invitation) })).status).toBe(201);
    });

    it('is required to learn which names are taken', async () => {
      const tries = ['ann', 'reserved', 'nobody-has-it'].map(async (name) => {
        const answer = await askAsPage(service, '/accounts', { body: account(name, 'A'.repeat(43)) });
        return { status: answer.status, error: { ...(await answer.json()).error, requestId: '' } };
      });
      const [first, ...others] = await Promise.all(tries);
      expect(first?.status).toBe(404);
      for (const other of others) expect(other).toEqual(first);
    });

    it('is invalid after its expiry, and when its creator may no longer add a member with its role', async () => {
      const { invitation: toAdmin } = await invite('admin');
      const kim = await signUp(service, { name: 'kim', invitation: toAdmin });
      const make = async () =>
        (await kim.ask('/management/orgs/planet/invitations', { body: { role: 'admin' } })).json();
      const [{ invitation }, { invitation: late }] = [await make(), await make()];
      await change(
        "update control.invitation set expires_at = now() - interval '1 second' where made_by = 'local:kim'",
      );
      expect((await askAsPage(service, '/accounts', { body: account('len', late) })).status).toBe(404);
      await change(
        "update control.invitation set expires_at = now() + interval '1 hour' where made_by = 'local:kim'",
      );
      const lower = { method: 'PUT', body: { role: 'developer' } };
      await ann.ask('/management/orgs/planet/members/local:kim', lower);
      expect((await askAsPage(service, '/accounts', { body: account('len', invitation) })).status).toBe(404);
    });

    const account = (name: string, invitation: string) => ({ invitation, name, password: PASSWORD });
  });

  it('signing in and out, creating an account and inviting are in the audit log', async () => {
    const { entries } = await (await ann.ask('/management/orgs/planet/audit?limit=200')).json();
    const actions = new Set(entries.map(({ action }: { action: string }) => action));
    expect([...actions]).toEqual(expect.arrayContaining(['member.invite', 'account.create', 'org.create']));
    const rows = await change("select action from control.audit_entry where account_id = 'local:ann'");
    const all = new Set(rows.map((row) => (row as { action: string }).action));
    expect([...all]).toEqual(expect.arrayContaining(['session.begin', 'session.end']));
  });
});

describe('password checks', () => {
  const start = (signInPace: Partial<SignInPace>) =>
    startService(ANY_ENGINE, { environment: { TRUST_PROXY: 'true' }, overrides: { signInPace } });
  const trySignIn = (
    service: Service,
    name: string,
    { address = '192.0.2.1', password = 'wrong password' },
  ) =>
    askAsPage(service, '/session', {
      body: { name, password },
      headers: { 'x-forwarded-for': address },
    });
  const tries = async (service: Service, names: string[], address?: string) => {
    const statuses: number[] = [];
    for (const name of names)
      statuses.push((await trySignIn(service, name, { ...(address && { address }) })).status);
    return statuses;
  };

  it('are limited by address and by account with 429 and Retry-After, and signed-in users stay signed in', async () => {
    const byAddress = await start({ perAddress: 3 });
    expect(await tries(byAddress, ['a1', 'a2', 'a3', 'a4'])).toEqual([401, 401, 401, 429]);
    const refused = await trySignIn(byAddress, 'a5', {});
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await byAddress.stop();

    const byAccount = await start({ perAddress: 100, perAccount: 3 });
    const ann = await signUpFirst(byAccount);
    expect(await tries(byAccount, ['ANN', 'bob'], '192.0.2.1')).toEqual([401, 401]);
    expect(await tries(byAccount, ['ann', 'ann', 'bob'], '192.0.2.2')).toEqual([401, 429, 401]);
    expect((await ann.ask('/management/orgs')).status).toBe(200);
    await byAccount.stop();
  });

  it('from one address do not lock the owner of the account out at another address', async () => {
    const service = await start({ perAddress: 1_000 });
    await signUpFirst(service);
    const guesses = await tries(service, Array<string>(200).fill('ann'), '2001:db8:1:1::1');
    expect(guesses.filter((status) => status !== 429)).toEqual([401, 401, 401, 401, 401]);
    expect(await tries(service, ['ann', 'bob'], '2001:db8:1:1::2')).toEqual([429, 401]);
    const refused = await trySignIn(service, 'ann', { address: '2001:db8:1:1::3' });
    const { message } = (await refused.json()).error;
    expect(message).toBe(
      'Too many attempts to sign in from this address to this account. The limit is 5 in 60 s.',
    );
    const own = await trySignIn(service, 'ann', { address: '192.0.2.7', password: PASSWORD });
    expect([own.status, own.headers.get('x-ratelimit-limit')]).toEqual([201, '5']);
    await service.stop();
  });

  it('are not blocked by redirects to a provider, which have their own limit', async () => {
    const service = await start({ perAddress: 2, openIdPerAddress: 3 });
    const statuses: number[] = [];
    for (const path of ['/openid/begin', '/openid/callback', '/openid/begin', '/openid/begin'])
      statuses.push((await askAsPage(service, path)).status);
    expect(statuses).toEqual([503, 503, 503, 429]);
    expect(await tries(service, ['a1'])).toEqual([401]);
    await service.stop();
  });
});

describe('local accounts', () => {
  it('begin only with the link of the newest start, whose use invalidates every earlier link', async () => {
    const service = await startService(ANY_ENGINE);
    const { control } = service.context.databases;
    const toToken = (path: string | undefined) => path?.split('#')[1] ?? '';
    const tryToken = async (name: string, invitation: string) =>
      (await askAsPage(service, '/accounts', { body: { invitation, name, password: PASSWORD } })).status;
    const ofFirstStart = toToken(await inviteFirstAccount(control));
    const ofSecondStart = toToken(await inviteFirstAccount(control));
    expect(await tryToken('mallory', ofFirstStart)).toBe(404);
    const byOperator = await service.manage('operator', '/orgs/local/invitations', {
      body: { role: 'owner' },
    });
    expect(await tryToken('ann', ofSecondStart)).toBe(201);
    const { invitation } = await byOperator.json();
    for (const token of [ofFirstStart, ofSecondStart, invitation])
      expect(await tryToken('mallory', token)).toBe(404);
    const later = await service.manage('operator', '/orgs/local/invitations', { body: { role: 'owner' } });
    expect(await tryToken('bob', (await later.json()).invitation)).toBe(201);
    await service.stop();
  });

  it('begin only once if starts and a sign-up happen at the same time', async () => {
    const service = await startService(ANY_ENGINE);
    const { control } = service.context.databases;
    const first = (await inviteFirstAccount(control))?.split('#')[1];
    const body = { invitation: first, name: 'ann', password: PASSWORD };
    const [paths, answer] = await Promise.all([
      Promise.all(Array.from({ length: 5 }, () => inviteFirstAccount(control))),
      askAsPage(service, '/accounts', { body }),
    ]);
    const left = await control.query('select 1 from control.invitation');
    expect(left).toHaveLength(answer.status === 201 ? 0 : 1);
    expect(paths.at(-1) === undefined).toBe(answer.status === 201);
    await service.stop();
  });

  it('are off with LOCAL_ACCOUNTS=false: no password works, and the page offers no sign-in by password', async () => {
    const service = await startService(ANY_ENGINE, { environment: { LOCAL_ACCOUNTS: 'false' } });
    const body = { name: 'ann', password: PASSWORD };
    const answer = await askAsPage(service, '/session', { body });
    expect([answer.status, (await answer.json()).error.code]).toEqual([503, 'Unavailable']);
    expect(await (await askAsPage(service, '/session')).json()).toEqual({
      signedIn: false,
      ways: { password: false, openId: null },
    });
    await service.stop();
  });

  it('have cookies bound to the host if the page is reached over TLS', async () => {
    const environment = { PUBLIC_URL: 'https://colophon.example' };
    const service = await startService(ANY_ENGINE, { environment });
    const invitation = (await inviteFirstAccount(service.context.databases.control))?.split('#')[1];
    const answer = await askAsPage(service, '/accounts', {
      body: { invitation, name: 'ann', password: PASSWORD },
      headers: { origin: environment.PUBLIC_URL },
    });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-colophon_session=[\w-]{43}; Path=\/; .*; Secure$/);
    const ann = await toPageUser(service, answer);
    expect((await ann.ask('/management/orgs')).status).toBe(200);
    const bare = { cookie: (ann.headers.cookie ?? '').replace('__Host-', '') };
    expect((await ann.ask('/management/orgs', { headers: bare })).status).toBe(401);
    await service.stop();
  });
});
