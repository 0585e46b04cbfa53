import { createHash } from 'node:crypto';
import { userIdField } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIsSecret } from '../../src/access/secret-token.js';
import { createSealer } from '../../src/control/seal-secret.js';
import { ANY_ENGINE, KEY, MANAGEMENT_KEY, type Service, startService } from '../support/service.js';

describe('the control plane', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, {
      environment: { RATE_LIMIT_RPM: '5', RATE_LIMIT_BURST: '0' },
    });
  });
  afterAll(() => service.stop());

  const get = (path: string, headers: Record<string, string>) =>
    fetch(`${service.base}/management${path}`, { headers });
  const authorization = `Bearer ${MANAGEMENT_KEY}`;

  it('503: without MANAGEMENT_API_KEY, the error names the variable', async () => {
    const closed = await startService(ANY_ENGINE, { environment: { MANAGEMENT_API_KEY: '' } });
    const answer = await closed.manage('ann', '/orgs');
    expect([answer.status, (await answer.json()).error]).toMatchObject([
      503,
      { code: 'Unavailable', recovery: 'Ask the operator to set MANAGEMENT_API_KEY.' },
    ]);
    await closed.stop();
  });

  it('400: requires the header X-User-Id', async () => {
    const answer = await get('/orgs', { authorization });
    expect([answer.status, (await answer.json()).error.code]).toEqual([400, 'MissingField']);
  });

  it('accepts no project key, and the management secret gives no access to a project', async () => {
    expect((await get('/orgs', { authorization: `Bearer ${KEY}`, 'x-user-id': 'ann' })).status).toBe(401);
    expect((await service.send('/v1/entities', { headers: { authorization } })).status).toBe(401);
  });

  it('counts wrong secrets per sender address, and still accepts the right secret', async () => {
    const wrong = () => get('/orgs', { authorization: 'Bearer wrong', 'x-user-id': 'ann' });
    const statuses: number[] = [];
    for (let count = 0; count < 8; count++) statuses.push((await wrong()).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await get('/orgs', { authorization, 'x-user-id': 'ann' })).status).toBe(200);
  });

  it('creates the account of a user at the first call to any route', async () => {
    await get('/network', { authorization, 'x-user-id': 'did:web:new' });
    const rows = await service.context.databases.control.query(
      "select 1 from control.account where id = 'did:web:new'",
    );
    expect(rows).toHaveLength(1);
    const first = await service.manage('did:web:newer', '/users/me', { method: 'PUT', body: { name: 'N' } });
    const second = await service.manage('did:web:newer', '/users/me', {
      method: 'PUT',
      body: { email: null },
    });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(await second.json()).toMatchObject({ id: 'did:web:newer', name: 'N', email: null });
  });

  it('has audit entries of changes with user, action, target and address, newest first, page by page', async () => {
    const ask = async (path: string, method?: string, body?: object) =>
      (await service.manage('ann', path, { ...(method === undefined ? {} : { method }), body })).json();
    const org = await ask('/orgs', 'POST', { name: 'Daily Planet', slug: 'planet' });
    await ask('/orgs/planet', 'PUT', { name: 'Planet' });
    await ask('/orgs/planet/members', 'POST', { userId: 'bob' });
    await ask('/orgs/planet/members/bob', 'PUT', { role: 'viewer' });
    await ask('/orgs/planet/members/bob', 'DELETE');
    const { id: projectId } = await ask('/projects', 'POST', { orgSlug: 'planet', name: 'Front page' });
    const same = { name: 'Front page', publicLog: false, limits: { records: null }, signingKey: null };
    await ask(`/projects/${projectId}`, 'PUT', { ...same, description: 'News' });
    await ask(`/projects/${projectId}`, 'PUT', { ...same, description: 'News' });
    const key = await ask('/api-keys', 'POST', { projectId, name: 'key' });
    const next = await ask(`/api-keys/${key.id}/rotate`, 'POST', {});
    await ask(`/api-keys/${next.id}`, 'DELETE');
    await ask(`/projects/${projectId}`, 'DELETE');

    const entries: Record<string, unknown>[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await ask(`/orgs/planet/audit?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      entries.push(...page.entries);
      cursor = page.nextCursor;
    }
    expect(entries.map(({ action, target }) => [action, target])).toEqual([
      ['project.delete', projectId],
      ['api-key.revoke', next.id],
      ['api-key.rotate', key.id],
      ['api-key.create', key.id],
      ['project.update', projectId],
      ['project.create', projectId],
      ['member.remove', 'bob'],
      ['member.change', 'bob'],
      ['member.add', 'bob'],
      ['org.update', org.id],
      ['org.create', org.id],
    ]);
    for (const entry of entries) expect(entry).toMatchObject({ userId: 'ann', address: '127.0.0.1' });
    expect(entries[4]?.details).toEqual({ settings: ['description'] });
    expect(entries[7]).toMatchObject({ details: { from: 'developer', to: 'viewer' } });
  });
});

it('the check of the management secret accepts only the complete secret as a Bearer token', () => {
  const isSecret = createIsSecret('mk_live_0123456789');
  expect(isSecret('Bearer mk_live_0123456789')).toBe(true);
  const wrong = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'mk_live_0123456789',
    'Bearer mk_live_012345678',
    'Bearer x',
  ];
  for (const header of wrong) expect(isSecret(header)).toBe(false);
});

it.each(['.', '..'])('%j is rejected as a user id, because it would change a path', (id) => {
  expect(userIdField.safeParse(id).success).toBe(false);
  expect(userIdField.safeParse(`${id}ann`).success).toBe(true);
});

describe('a sealed secret', () => {
  const key = createHash('sha256').update('a').digest();
  const sealer = createSealer(key);

  it('opens in its context, and differs each time it is sealed', () => {
    const [one, two] = [sealer.seal('sécret', 'here'), sealer.seal('sécret', 'here')];
    expect(one).not.toBe(two);
    expect(sealer.open(one, 'here')).toBe('sécret');
  });

  it('does not open in another context, with another key, or with a changed byte', () => {
    const sealed = sealer.seal('secret', 'here');
    const changed = sealed.replace(/.{10}$/, (end) => (end.startsWith('A') ? 'B' : 'A') + end.slice(1));
    const other = createSealer(createHash('sha256').update('b').digest());
    for (const open of [
      () => sealer.open(sealed, 'there'),
      () => other.open(sealed, 'here'),
      () => sealer.open(changed, 'here'),
      () => sealer.open('v2.AAAA', 'here'),
    ])
      expect(open).toThrow(expect.objectContaining({ code: 'Unavailable' }));
  });
});
