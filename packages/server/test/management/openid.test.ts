import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.js';
import { OPENID_CLIENT, startOpenIdProvider, type TestProvider } from '../support/openid-provider.js';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';
import { createSurfer, type Surfer } from '../support/surfer.js';

const BEGIN = '/app/api/openid/begin';

describe('signing in by an OpenID provider', () => {
  let service: Service;
  let provider: TestProvider;
  let base: string;
  const logged: string[] = [];
  beforeAll(async () => {
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    provider = await startOpenIdProvider(`${base}/app/api/openid/callback`);
    service = await startService(ANY_ENGINE, {
      environment: {
        PUBLIC_URL: base,
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: OPENID_CLIENT.clientId,
        OIDC_CLIENT_SECRET: OPENID_CLIENT.clientSecret,
      },
      port,
      overrides: { logger: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }) },
    });
  });
  afterAll(async () => {
    await service.stop();
    await provider.stop();
  });

  /** Signs in at the provider and consents. Returns the provider's redirect. */
  async function comeBack(surfer: Surfer, name: string, returnTo = '/app/manage'): Promise<string> {
    let at = await surfer.open(`${base}${BEGIN}?returnTo=${encodeURIComponent(returnTo)}`);
    for (let step = 0; step < 10 && !at.url.startsWith(`${base}/app/api/openid/callback`); step++)
      at =
        at.form === undefined
          ? await surfer.open(at.url)
          : await surfer.send(at.form, { login: name, password: 'any' });
    return at.url;
  }

  const sessionOf = async (surfer: Surfer) => JSON.parse((await surfer.open(`${base}/app/api/session`)).text);

  it('gives a user an id from issuer and subject, and the name and verified address from the provider', async () => {
    const surfer = createSurfer({ stopAt: `${base}/app` });
    const callback = await comeBack(surfer, 'lois', '/app/explore/abc');
    expect((await surfer.open(callback)).url).toBe(`${base}/app/explore/abc`);
    const session = await sessionOf(surfer);
    expect(session).toMatchObject({ signedIn: true, way: 'openId' });
    expect(session.user).toMatchObject({ name: 'Name of lois', email: 'lois@example.org' });
    expect(session.user.id).toMatch(/^oidc:[0-9a-f]{12}:lois$/);
    expect(session.ways).toEqual({ password: true, openId: new URL(provider.issuer).host });
    const orgs = await surfer.open(`${base}/app/api/management/orgs`);
    expect(orgs.text).toBe('[]');
  });

  it('recognises the same user again, and distinguishes another user', async () => {
    const ids: string[] = [];
    for (const name of ['clark', 'clark', 'perry']) {
      const surfer = createSurfer({ stopAt: `${base}/app` });
      await surfer.open(await comeBack(surfer, name));
      ids.push((await sessionOf(surfer)).user.id);
    }
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('stores no network, because only sign-ins with a password need the separate queue', async () => {
    const surfer = createSurfer({ stopAt: `${base}/app` });
    await surfer.open(await comeBack(surfer, 'jimmy'));
    expect((await sessionOf(surfer)).signedIn).toBe(true);
    expect(await service.context.databases.control.query('select 1 from control.sign_in_network')).toEqual(
      [],
    );
  });

  it('sends PKCE, a state and a nonce, and requests only name and address', async () => {
    const answer = await fetch(`${base}${BEGIN}`, { redirect: 'manual' });
    const asked = Object.fromEntries(new URL(answer.headers.get('location') ?? '').searchParams);
    expect(asked).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid profile email',
      redirect_uri: `${base}/app/api/openid/callback`,
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]?.length).toBeGreaterThan(40);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^colophon_sign_in=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/),
    ]);
  });

  it('rejects an answer that belongs to another browser, was used before, or was altered', async () => {
    const [lois, mallory] = [
      createSurfer({ stopAt: `${base}/app` }),
      createSurfer({ stopAt: `${base}/app` }),
    ];
    const callback = await comeBack(lois, 'lois');
    expect((await mallory.open(callback)).url).toBe(`${base}/app/manage?sign-in=late`);
    await mallory.open(`${base}${BEGIN}`);
    expect((await mallory.open(callback)).url).toBe(`${base}/app/manage?sign-in=refused`);
    expect(await sessionOf(mallory)).toMatchObject({ signedIn: false });

    const altered = new URL(await comeBack(lois, 'lois'));
    altered.searchParams.set('code', 'altered');
    expect((await lois.open(altered.href)).url).toBe(`${base}/app/manage?sign-in=refused`);
    const good = await comeBack(lois, 'lois');
    expect((await lois.open(good)).url).toBe(`${base}/app/manage`);
    expect((await lois.open(good)).url).toBe(`${base}/app/manage?sign-in=late`);
  });

  it('redirects to the page with sign-in=refused when the provider reports an error', async () => {
    const surfer = createSurfer({ stopAt: `${base}/app` });
    await surfer.open(`${base}${BEGIN}`);
    const refusal = `${base}/app/api/openid/callback?error=access_denied&state=none&iss=${provider.issuer}`;
    expect((await surfer.open(refusal)).url).toBe(`${base}/app/manage?sign-in=refused`);
  });

  it('logs the message and the code of an error of the provider, and no text from the query', async () => {
    const begun = await fetch(`${base}${BEGIN}`, { redirect: 'manual' });
    const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { state } = JSON.parse(Buffer.from(cookie.split('=')[1] ?? '', 'base64url').toString());
    const query = new URLSearchParams({
      ...{ error: 'planted-error', error_description: 'planted description', error_uri: 'planted-uri' },
      ...{ state, iss: provider.issuer },
    });
    logged.length = 0;
    await fetch(`${base}/app/api/openid/callback?${query}`, { headers: { cookie }, redirect: 'manual' });
    expect(logged.join('')).not.toContain('planted');
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { cause: { message: expect.any(String), code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' } },
    ]);
  });

  it('leads back to a view with its query', async () => {
    const surfer = createSurfer({ stopAt: `${base}/app` });
    const view = '/app/explore/bafk?step=action%3A1&tab=list';
    const callback = await comeBack(surfer, 'jimmy', view);
    expect((await surfer.open(callback)).url).toBe(`${base}${view}`);
  });

  it.each([
    'https://evil.example',
    '/app/manage?next=//evil.example',
    '//evil.example',
    '/v1/entities',
    '/app\\evil',
    '/app/../v1',
    '/application',
  ])('leads only to addresses of the page, not to %s', async (returnTo) => {
    const surfer = createSurfer({ stopAt: `${base}/app` });
    const callback = await comeBack(surfer, 'jimmy', returnTo);
    expect((await surfer.open(callback)).url).toBe(`${base}/app/manage`);
  });
});

it('a sign-in gets 503 without a configured provider, or while the provider does not answer', async () => {
  const without = await startService(ANY_ENGINE);
  const none = await fetch(`${without.base}${BEGIN}`);
  expect([none.status, (await none.json()).error.code]).toEqual([503, 'Unavailable']);
  await without.stop();

  const [port, ownPort] = [await freePort(), await freePort()];
  const service = await startService(ANY_ENGINE, {
    environment: {
      PUBLIC_URL: `http://127.0.0.1:${ownPort}`,
      OIDC_ISSUER: `http://127.0.0.1:${port}`,
      OIDC_CLIENT_ID: 'colophon',
      OIDC_CLIENT_SECRET: 'secret',
    },
  });
  const begin = () => fetch(`${service.base}${BEGIN}`, { redirect: 'manual' });
  for (const answer of [await begin(), await begin()]) {
    const { error } = await answer.json();
    expect([answer.status, error.message]).toEqual([503, 'The OpenID provider does not answer.']);
  }
  await service.stop();
});
