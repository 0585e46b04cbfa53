import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAsPage, PASSWORD, startPageSession } from '../support/page-user.js';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

const LIMIT = 2;
const ENVIRONMENT = {
  MAX_USER_ORGS: `${LIMIT}`,
  MAX_ORG_PROJECTS: `${LIMIT}`,
  MAX_ORG_MEMBERS: `${LIMIT}`,
  MAX_ORG_INVITATIONS: `${LIMIT}`,
  MAX_PROJECT_PUBLICATIONS: `${LIMIT}`,
};

interface Answer {
  status: number;
  body: Awaited<ReturnType<Response['json']>>;
}

function expectLimited(answers: readonly Answer[], name: keyof typeof ENVIRONMENT) {
  const refused = answers.filter(({ status }) => status === 403);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMIT);
  expect(refused).toHaveLength(answers.length - LIMIT);
  for (const { body } of refused) {
    const { message, recovery, details } = body.error;
    expect(message).toContain(`At most ${LIMIT} are allowed (${name})`);
    expect(recovery).toContain(`raise ${name}`);
    expect(details).toEqual({ limit: name, value: LIMIT });
  }
}

describe('limits of what a tenant creates', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment: ENVIRONMENT });
  });
  afterAll(() => service.stop());

  const ask = async (userId: string, path: string, body?: object, method?: string): Promise<Answer> => {
    const answer = await service.manage(userId, path, {
      ...(body === undefined ? {} : { body }),
      ...(method === undefined ? {} : { method }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const together = (count: number, make: (index: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: count }, (_, index) => make(index)));
  const age = (table: 'org' | 'project') =>
    service.context.databases.control.query(
      `update control.${table} set created_at = created_at - interval '25 hours'`,
    );
  const askToSignUp = async (invitation: string): Promise<Answer> => {
    const answer = await askAsPage(service, '/accounts', {
      body: { invitation, name: 'kim', password: PASSWORD },
    });
    return { status: answer.status, body: await answer.json() };
  };
  const createOrg = (userId: string, slug: string) => ask(userId, '/orgs', { name: 'Org', slug });

  it('at most MAX_USER_ORGS organisations of one creator exist, also with concurrent requests', async () => {
    expectLimited(await together(5, (index) => createOrg('ann', `ann-${index}`)), 'MAX_USER_ORGS');
    const [first] = (await ask('ann', '/orgs')).body;
    expect((await ask('ann', `/orgs/${first.slug}`, undefined, 'DELETE')).status).toBe(200);
    const early = await createOrg('ann', 'ann-early');
    expect(early.body.error.message).toContain('in the last 24 hours');
    expect(early.status).toBe(403);
    await age('org');
    expect((await createOrg('ann', 'ann-again')).status).toBe(201);
    expect((await createOrg('ann', 'ann-more')).status).toBe(403);
  });

  it('an organisation of another creator does not count, even for its only owner', async () => {
    expect((await createOrg('bo', 'bo-0')).status).toBe(201);
    for (const owner of ['cy', 'dee']) {
      expect((await createOrg(owner, `of-${owner}`)).status).toBe(201);
      const added = await ask(owner, `/orgs/of-${owner}/members`, { userId: 'bo', role: 'owner' });
      expect(added.status).toBe(201);
      expect((await ask(owner, `/orgs/of-${owner}/members/${owner}`, undefined, 'DELETE')).status).toBe(200);
    }
    expect((await createOrg('bo', 'bo-1')).status).toBe(201);
    expect((await createOrg('bo', 'bo-2')).status).toBe(403);
  });

  it('an organisation has at most MAX_ORG_PROJECTS projects, also with concurrent requests', async () => {
    await createOrg('eve', 'eve');
    const create = (index: number) => ask('eve', '/projects', { orgSlug: 'eve', name: `P${index}` });
    expectLimited(await together(5, create), 'MAX_ORG_PROJECTS');
    const [{ id }] = (await ask('eve', '/projects/eve')).body;
    expect((await ask('eve', `/projects/${id}`, undefined, 'DELETE')).status).toBe(200);
    const early = await create(6);
    expect(early.body.error.message).toContain('in the last 24 hours');
    expect(early.status).toBe(403);
    await age('project');
    expect((await create(7)).status).toBe(201);
    expect((await create(8)).status).toBe(403);
  });

  it('an organisation has at most MAX_ORG_INVITATIONS open invitations; expired ones do not count', async () => {
    await createOrg('fay', 'fay');
    const invite = () => ask('fay', '/orgs/fay/invitations', {});
    const answers = await together(5, invite);
    expectLimited(answers, 'MAX_ORG_INVITATIONS');
    const [one] = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
    expect((await ask('fay', `/orgs/fay/invitations/${one}`, undefined, 'DELETE')).status).toBe(200);
    expect((await invite()).status).toBe(201);
    expect((await invite()).status).toBe(403);
    const { control } = service.context.databases;
    await control.query(`update control.invitation set expires_at = now() - interval '1 second'`);
    await control.query(
      `insert into control.invitation (token_digest, org_id, role, made_by, expires_at)
       select sha256(convert_to(place::text, 'UTF8')), o.id, 'viewer', 'fay', now() - interval '1 hour'
       from control.org o, generate_series(1, 300) place where o.slug = 'fay'`,
    );
    const count = async () => (await control.query('select from control.invitation')).length;
    expect((await invite()).status).toBe(201);
    expect(await count()).toBe(300 + LIMIT - 200 + 1);
    expect((await invite()).status).toBe(201);
    expect(await count()).toBe(2);
  });

  it('an organisation has at most MAX_ORG_MEMBERS members, also with concurrent uses of invitations', async () => {
    await createOrg('gil', 'gil');
    const invite = () => ask('gil', '/orgs/gil/invitations', {});
    const codes = (await together(LIMIT, invite)).map(({ body }) => body.invitation);
    const users = await Promise.all(['hal', 'ivy'].map((name) => startPageSession(service, name)));
    const join = async (index: number): Promise<Answer> => {
      const answer = await users[index]?.ask('/memberships', { body: { invitation: codes[index] } });
      return { status: answer?.status ?? 0, body: await answer?.json() };
    };
    const joins = await together(LIMIT, join);
    expect(joins.map(({ status }) => status).sort()).toEqual([201, 403]);
    const [refused] = joins.filter(({ status }) => status === 403);
    expect(refused?.body.error.message).toContain(`At most ${LIMIT} are allowed (MAX_ORG_MEMBERS)`);
    const full = [
      await invite(),
      await ask('gil', '/orgs/gil/members', { userId: 'jo', role: 'viewer' }),
      await askToSignUp(codes[joins.findIndex(({ status }) => status === 403)]),
    ];
    expect(full.map(({ status, body }) => [status, body.error.details.limit])).toEqual(
      full.map(() => [403, 'MAX_ORG_MEMBERS']),
    );
    const joined = joins.findIndex(({ status }) => status === 201);
    await ask('gil', `/orgs/gil/members/${users[joined]?.userId}`, undefined, 'DELETE');
    expect((await join(1 - joined)).status).toBe(201);
  });

  it('the operator has no limit on organisations and projects', async () => {
    const orgs = await together(LIMIT + 1, (index) => createOrg('operator', `op-${index}`));
    const projects = await together(LIMIT + 1, (index) =>
      ask('operator', '/projects', { orgSlug: 'op-0', name: `P${index}` }),
    );
    expect([...orgs, ...projects].map(({ status }) => status)).toEqual(Array(2 * LIMIT + 2).fill(201));
  });

  it('a project has at most MAX_PROJECT_PUBLICATIONS publications; revoked and expired ones do not count', async () => {
    const { cid } = await (await service.upload('published')).json();
    const publish = async (expiresAt?: string): Promise<Answer> => {
      const answer = await service.send('/v1/publications', jsonPost({ cid, expiresAt }));
      return { status: answer.status, body: await answer.json() };
    };
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const answers = await together(5, (index) => publish(index % 2 === 0 ? soon : undefined));
    expectLimited(answers, 'MAX_PROJECT_PUBLICATIONS');
    const [one, other] = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
    await service.send(`/v1/publications/${one}`, { method: 'DELETE' });
    expect((await publish()).status).toBe(201);
    expect((await publish()).status).toBe(403);
    await service.context.databases.control.query(
      `update control.publication set expires_at = now() - interval '1 s' where id = $1`,
      [other],
    );
    expect((await publish(soon)).status).toBe(201);
    expect((await publish()).status).toBe(403);
    const headers = { authorization: `Bearer ${OTHER_KEY}` };
    const theirs = await (await service.upload('of another project', undefined, headers)).json();
    const published = await service.send('/v1/publications', jsonPost({ cid: theirs.cid }, headers));
    expect(published.status).toBe(201);
  });
});
