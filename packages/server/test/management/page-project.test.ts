import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PageUser, signUp, signUpFirst, startPageSession } from '../support/page-user.js';
import { ANN_CREATES, ANY_ENGINE, KEY, type Service, startService, toForm } from '../support/service.js';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const ENTITY = { id: 'studio:ann', role: 'human', name: 'Ann' };

interface Team {
  owner: PageUser;
  developer: PageUser;
  viewer: PageUser;
  outsider: PageUser;
  projectId: string;
}

async function makeTeam(service: Service): Promise<Team> {
  const owner = await signUpFirst(service, 'owner');
  await owner.ask('/management/orgs', { body: { name: 'Daily Planet', slug: 'planet' } });
  const inviteTo = async (slug: string, role: string) =>
    (await (await owner.ask(`/management/orgs/${slug}/invitations`, { body: { role } })).json()).invitation;
  const join = async (name: string, role: string, slug = 'planet') =>
    signUp(service, { name, invitation: await inviteTo(slug, role) });
  await owner.ask('/management/orgs', { body: { name: 'Daily Star', slug: 'star' } });
  return {
    owner,
    developer: await join('developer', 'developer'),
    viewer: await join('viewer', 'viewer'),
    outsider: await join('outsider', 'owner', 'star'),
    projectId: await makeProject(owner, 'Front page'),
  };
}

async function makeProject(owner: PageUser, name: string): Promise<string> {
  return (await (await owner.ask('/management/projects', { body: { orgSlug: 'planet', name } })).json()).id;
}

function upload(
  service: Service,
  { headers }: Pick<PageUser, 'headers'>,
  { projectId, content, more = {} }: { projectId: string; content: string; more?: Record<string, string> },
): Promise<Response> {
  return fetch(`${service.base}/app/api/projects/${projectId}/v1/activity`, {
    method: 'POST',
    headers: { ...headers, ...more },
    body: toForm(content, ANN_CREATES),
  });
}

/** The document has no routes of the page for projects. */
async function listOperations({ base }: Service): Promise<{ method: string; path: string }[]> {
  const { paths } = (await (await fetch(`${base}/openapi.json`)).json()) as { paths: Record<string, object> };
  expect(Object.keys(paths).filter((path) => path.startsWith('/app/api/projects'))).toEqual([]);
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((verb) => ({ method: verb.toUpperCase(), path })));
}

const errorOf = async (answer: Response) => {
  const { error } = await answer.json();
  return [answer.status, error.code];
};

describe('the /v1 routes of a project for a signed-in user', () => {
  let service: Service;
  let team: Team;
  let at: (path: string) => string;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    team = await makeTeam(service);
    at = (path) => `/projects/${team.projectId}/v1${path}`;
  });
  afterAll(() => service.stop());

  it('let a viewer read, and a developer and an owner also record, but nobody erase personal data', async () => {
    const { owner, developer, viewer } = team;
    expect((await developer.ask(at('/entity'), { body: ENTITY })).status).toBe(201);
    expect((await owner.ask(at('/action'), { body: { performedBy: ENTITY.id } })).status).toBe(201);
    const read = await viewer.ask(at('/entity/studio:ann'));
    expect([read.status, (await read.json()).name]).toEqual([200, 'Ann']);
    const refused = await viewer.ask(at('/entity'), { body: { ...ENTITY, id: 'studio:vi' } });
    const { error } = await refused.json();
    expect([refused.status, error.code, error.recovery]).toEqual([
      403,
      'Forbidden',
      'Ask an admin of the organisation for the role developer.',
    ]);
    expect((await viewer.ask(at('/entity/studio:vi'))).status).toBe(404);
    const erasing = await owner.ask(at('/entity/studio:ann/personal-data'), { method: 'DELETE' });
    expect([erasing.status, (await erasing.json()).error.recovery]).toEqual([
      403,
      'Use an API key with the permission `admin`. An admin of the organisation can create one.',
    ]);
  });

  it('answer each operation for a project of others as for a project that does not exist', async () => {
    const ofProject = await listOperations(service);
    expect(ofProject.length).toBeGreaterThan(60);
    const ask = async (
      user: PageUser,
      projectId: string,
      { method, path }: { method: string; path: string },
    ) => {
      const target = path.replaceAll(/\{\w+\}/g, 'x');
      const answer = await user.ask(`/projects/${projectId}${target}`, { method });
      const { error } = JSON.parse((await answer.text()).replaceAll(projectId, '<id>'));
      return [answer.status, error.code, error.message, error.recovery];
    };
    for (const operation of ofProject) {
      const others = await ask(team.outsider, team.projectId, operation);
      expect(others, operation.path).toEqual(await ask(team.outsider, UNKNOWN, operation));
      expect(others.slice(0, 3), operation.path).toEqual([404, 'NotFound', 'There is no project <id>.']);
    }
    expect(await errorOf(await team.owner.ask('/projects/planet/v1/entities'))).toEqual([404, 'NotFound']);
  });

  it('accept no cookie under /v1, whatever the headers of the page', async () => {
    for (const { method, path } of await listOperations(service)) {
      const target = service.base + path.replaceAll(/\{\w+\}/g, 'x');
      const answer = await fetch(target, { method, headers: { ...team.owner.headers } });
      expect([method, path, answer.status]).toEqual([method, path, 401]);
    }
    expect((await service.send('/v1/entities', { headers: { ...team.owner.headers } })).status).toBe(200);
    const byKey = { authorization: `Bearer ${KEY}`, cookie: '' };
    expect((await team.owner.ask(at('/entities'), { headers: byKey })).status).toBe(401);
  });

  it.each([
    ['no CSRF token', { 'x-csrf-token': '' }],
    ['a wrong CSRF token', { 'x-csrf-token': 'A'.repeat(43) }],
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin at all', { origin: 'null' }],
    ['a cross-site request according to the browser', { 'sec-fetch-site': 'cross-site' }],
    ['a same-site request from another host', { 'sec-fetch-site': 'same-site' }],
  ])('403 for a recording with %s, and nothing is recorded', async (_, headers) => {
    const body = { ...ENTITY, id: 'studio:forged' };
    expect(await errorOf(await team.developer.ask(at('/entity'), { body, headers }))).toEqual([
      403,
      'Forbidden',
    ]);
    const form = await upload(service, team.developer, {
      projectId: team.projectId,
      content: 'forged',
      more: headers,
    });
    expect(await errorOf(form)).toEqual([403, 'Forbidden']);
    expect((await team.viewer.ask(at('/entity/studio:forged'))).status).toBe(404);
  });

  it('403 for a read from another site, under another host, or for a script, worker or embedded page', async () => {
    const read = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const { cookie = '' } = team.viewer.headers;
        const sent = httpRequest(`${service.base}/app/api${at('/entities')}`, {
          headers: { cookie, ...headers },
          agent: false,
        });
        sent.once('response', (answer) => resolve(answer.resume().statusCode)).once('error', reject);
        sent.end();
      });
    expect(await read({})).toBe(200);
    for (const site of ['cross-site', 'same-site']) expect(await read({ 'sec-fetch-site': site })).toBe(403);
    expect(await read({ origin: 'https://evil.example' })).toBe(403);
    expect(await read({ host: 'evil.example' })).toBe(403);
    for (const dest of ['script', 'style', 'worker', 'serviceworker', 'iframe', 'object', 'xslt'])
      expect([dest, await read({ 'sec-fetch-dest': dest })]).toEqual([dest, 403]);
    for (const dest of ['empty', 'image', 'audio', 'video', 'document'])
      expect([dest, await read({ 'sec-fetch-dest': dest })]).toEqual([dest, 200]);
  });

  it('follow a change of the role, the removal of a member and a sign-out at once', async () => {
    const { owner, projectId } = team;
    const { invitation } = await (
      await owner.ask('/management/orgs/planet/invitations', { body: { role: 'developer' } })
    ).json();
    const gus = await signUp(service, { name: 'gus', invitation });
    const record = async (id: string) => (await gus.ask(at('/entity'), { body: { ...ENTITY, id } })).status;
    const member = '/management/orgs/planet/members/local:gus';
    expect(await record('gus:1')).toBe(201);
    await owner.ask(member, { method: 'PUT', body: { role: 'viewer' } });
    expect([await record('gus:2'), (await gus.ask(at('/entities'))).status]).toEqual([403, 200]);
    const content = 'bytes that a browser stores';
    const { cid } = await (await upload(service, owner, { projectId, content })).json();
    const bytes = at(`/resource/${cid}/content`);
    const first = await gus.ask(bytes);
    expect([first.headers.get('cache-control'), await first.text()]).toEqual(['private, no-cache', content]);
    // A page of another origin cannot read the response that the browser stores.
    expect(first.headers.get('access-control-allow-origin')).toBeNull();
    expect((await gus.ask('/management/orgs')).headers.get('access-control-allow-origin')).toBeNull();
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await gus.ask(bytes, { headers })).status).toBe(304);
    await owner.ask(member, { method: 'DELETE' });
    expect((await gus.ask(bytes, { headers })).status).toBe(404);
    await team.viewer.ask('/session', { method: 'DELETE' });
    expect((await team.viewer.ask(bytes, { headers })).status).toBe(401);
  });

  it('record files and JSON that exceed the limit for bodies of other routes of the page', async () => {
    const { developer, projectId } = team;
    const content = 'x'.repeat(300_000);
    const recorded = await upload(service, developer, { projectId, content });
    const { cid, size } = await recorded.json();
    expect([recorded.status, size]).toEqual([201, 300_000]);
    const sent = await developer.ask(at(`/resource/${cid}/content`));
    expect((await sent.arrayBuffer()).byteLength).toBe(300_000);
    const body = { ...ENTITY, id: 'studio:long', metadata: { bio: 'x'.repeat(20_000) } };
    expect((await developer.ask(at('/entity'), { body })).status).toBe(201);
  });

  it('repeat the answer to an Idempotency-Key of the same user and project, and of no other', async () => {
    const { owner, developer, projectId } = team;
    const other = await makeProject(owner, 'Back page');
    const more = { 'idempotency-key': 'once' };
    const send = async (user: PageUser, id: string) => {
      const answer = await upload(service, user, { projectId: id, content: 'once', more });
      return [answer.status, (await answer.json()).actionId];
    };
    const [status, actionId] = await send(developer, projectId);
    expect(status).toBe(201);
    expect(await send(developer, projectId)).toEqual([201, actionId]);
    expect(await send(developer, projectId.toUpperCase())).toEqual([201, actionId]);
    expect((await send(owner, projectId))[0]).toBe(409);
    const [inOther, otherId] = await send(developer, other);
    expect(inOther).toBe(201);
    expect(otherId).not.toBe(actionId);
    const { cid } = await (await upload(service, owner, { projectId, content: 'to publish' })).json();
    const publish = async (id: string) => {
      const answer = await owner.ask(`/projects/${id}/v1/publications`, { body: { cid }, headers: more });
      return [answer.status, (await answer.json()).id];
    };
    const published = await publish(projectId);
    expect([published, (await publish(other))[0]]).toEqual([await publish(projectId), 404]);
  });

  it('count in the usage under `page`, and name the user in the audit log', async () => {
    const { owner, projectId } = team;
    const { cid } = await (await upload(service, owner, { projectId, content: 'for the audit log' })).json();
    const { id } = await (await owner.ask(at('/publications'), { body: { cid } })).json();
    await service.context.meter.flush();
    const { byKey } = await (await owner.ask(`/management/projects/${projectId}/usage`)).json();
    expect(byKey.map(({ keyId }: { keyId: string }) => keyId)).toEqual(['page']);
    const { entries } = await (await owner.ask('/management/orgs/planet/audit?limit=200')).json();
    const made = entries.find(({ target }: { target: string }) => target === id);
    expect(made).toMatchObject({ action: 'publication.create', userId: 'local:owner' });
  });

  it('check the session and the role before they read a body', async () => {
    /** The body never arrives. */
    const send = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const type = 'multipart/form-data; boundary=b';
        const sent = httpRequest(`${service.base}/app/api${at('/activity')}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': type, 'content-length': '50000000' },
          agent: false,
        });
        sent.once('error', reject).once('response', ({ statusCode }) => {
          resolve(statusCode);
          sent
            .off('error', reject)
            .on('error', () => {})
            .destroy();
        });
        sent.flushHeaders();
      });
    const { cookie: _, ...nobody } = team.outsider.headers;
    const viewer = await startPageSession(service, 'local:viewer');
    expect(await send(nobody)).toBe(401);
    expect(await send(team.outsider.headers)).toBe(404);
    expect(await send({ ...viewer.headers, 'x-csrf-token': '' })).toBe(403);
    expect(await send(viewer.headers)).toBe(403);
  });
});

describe('the rate limits of a signed-in user', () => {
  let service: Service;
  beforeAll(async () => {
    const environment = { RATE_LIMIT_RPM: '6', RATE_LIMIT_BURST: '0', PROJECT_RATE_LIMIT_RPM: '40' };
    service = await startService(ANY_ENGINE, { environment });
  });
  afterAll(() => service.stop());

  it('allow each user the changes of a key and five times its reads, within a project limit', async () => {
    await service.manage('ann', '/orgs', { body: { name: 'Daily Planet', slug: 'planet' } });
    const project = { orgSlug: 'planet', name: 'Front page' };
    const { id: projectId } = await (await service.manage('ann', '/projects', { body: project })).json();
    await service.manage('ann', '/orgs/planet/members', { body: { userId: 'bob', role: 'viewer' } });
    const [developer, viewer] = (await Promise.all(
      ['ann', 'bob'].map((userId) => startPageSession(service, userId)),
    )) as [PageUser, PageUser];
    const read = async (user: PageUser) => (await user.ask(`/projects/${projectId}/v1/entities`)).status;
    const write = () => developer.ask(`/projects/${projectId}/v1/titles`, { body: { cids: [] } });
    const written: number[] = [];
    for (let count = 0; count < 7; count++) written.push((await write()).status);
    expect(written.at(-1)).toBe(429);
    expect(written.slice(0, 6)).not.toContain(429);
    const refused = await write();
    expect((await refused.json()).error.message).toBe(
      'The rate limit of this user in this project is exceeded.',
    );
    expect(refused.headers.get('x-ratelimit-limit')).toBe('6');
    const reads: number[] = [];
    for (let count = 0; count < 31; count++) reads.push(await read(developer));
    expect([reads.slice(0, 30).every((status) => status === 200), reads.at(-1)]).toEqual([true, 429]);
    const others: number[] = [];
    for (let count = 0; count < 5; count++) others.push(await read(viewer));
    expect(others).toEqual([200, 200, 200, 200, 429]);
    const ofProject = await viewer.ask(`/projects/${projectId}/v1/entities`);
    expect((await ofProject.json()).error.message).toContain('PROJECT_RATE_LIMIT_RPM');
    const made = await service.manage('ann', '/api-keys', { body: { projectId, name: 'program' } });
    const headers = { authorization: `Bearer ${(await made.json()).key}` };
    expect((await service.send('/v1/entities', { headers })).status).toBe(200);
  });
});
