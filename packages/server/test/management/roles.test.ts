import { ROLES, type Role } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOWEST_ROLE } from '../../src/management/roles.js';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';

const ASKERS = [...ROLES, 'stranger'] as const;
type AnonymousActor = (typeof ASKERS)[number];

const SLUG = 'planet';
const HOOK = 'https://hooks.invalid/events';

interface Deed {
  ability: keyof typeof LOWEST_ROLE;
  ask(world: World): { path: string; method?: string; body?: unknown };
}

interface World {
  projectId: string;
  keyId: string;
  webhookId: string;
  invitationId: string;
  /** A viewer who makes no requests. */
  guest: string;
}

const org = `/orgs/${SLUG}`;
const DEEDS: Deed[] = [
  { ability: 'org.read', ask: () => ({ path: org }) },
  { ability: 'org.update', ask: () => ({ path: org, method: 'PUT', body: { name: 'Renamed' } }) },
  { ability: 'org.delete', ask: () => ({ path: org, method: 'DELETE' }) },
  { ability: 'member.list', ask: () => ({ path: `${org}/members` }) },
  { ability: 'member.add', ask: () => ({ path: `${org}/members`, body: { userId: 'new', role: 'viewer' } }) },
  { ability: 'member.add', ask: () => ({ path: `${org}/invitations`, body: { role: 'viewer' } }) },
  { ability: 'invitation.list', ask: () => ({ path: `${org}/invitations` }) },
  {
    ability: 'invitation.withdraw',
    ask: ({ invitationId }) => ({ path: `${org}/invitations/${invitationId}`, method: 'DELETE' }),
  },
  {
    ability: 'member.change',
    ask: ({ guest }) => ({ path: `${org}/members/${guest}`, method: 'PUT', body: { role: 'viewer' } }),
  },
  { ability: 'member.remove', ask: ({ guest }) => ({ path: `${org}/members/${guest}`, method: 'DELETE' }) },
  { ability: 'project.read', ask: ({ projectId }) => ({ path: `/projects/${projectId}` }) },
  { ability: 'project.read', ask: () => ({ path: `/projects/${SLUG}` }) },
  { ability: 'project.read', ask: () => ({ path: `${org}/projects` }) },
  { ability: 'project.create', ask: () => ({ path: '/projects', body: { orgSlug: SLUG, name: 'New' } }) },
  { ability: 'project.create', ask: () => ({ path: `${org}/projects`, body: { name: 'Newer' } }) },
  {
    ability: 'project.update',
    ask: ({ projectId }) => ({ path: `/projects/${projectId}`, method: 'PUT', body: { name: 'Renamed' } }),
  },
  {
    ability: 'project.publish-log',
    ask: ({ projectId }) => ({ path: `/projects/${projectId}`, method: 'PUT', body: { publicLog: true } }),
  },
  {
    ability: 'project.publish-log',
    ask: () => ({ path: `${org}/projects`, body: { name: 'Public', publicLog: true } }),
  },
  {
    ability: 'project.delete',
    ask: ({ projectId }) => ({ path: `/projects/${projectId}`, method: 'DELETE' }),
  },
  { ability: 'api-key.list', ask: ({ projectId }) => ({ path: `/api-keys/${projectId}` }) },
  { ability: 'api-key.list', ask: ({ projectId }) => ({ path: `/projects/${projectId}/api-keys` }) },
  {
    ability: 'api-key.create',
    ask: ({ projectId }) => ({ path: '/api-keys', body: { projectId, name: 'new' } }),
  },
  {
    ability: 'api-key.create',
    ask: ({ projectId }) => ({ path: `/projects/${projectId}/api-keys`, body: { name: 'new' } }),
  },
  { ability: 'api-key.rotate', ask: ({ keyId }) => ({ path: `/api-keys/${keyId}/rotate`, body: {} }) },
  { ability: 'api-key.revoke', ask: ({ keyId }) => ({ path: `/api-keys/${keyId}`, method: 'DELETE' }) },
  { ability: 'webhook.list', ask: ({ projectId }) => ({ path: `/projects/${projectId}/webhooks` }) },
  {
    ability: 'webhook.list',
    ask: ({ projectId, webhookId }) => ({ path: `/projects/${projectId}/webhooks/${webhookId}/deliveries` }),
  },
  {
    ability: 'webhook.create',
    ask: ({ projectId }) => ({ path: `/projects/${projectId}/webhooks`, body: { url: HOOK } }),
  },
  {
    ability: 'webhook.update',
    ask: ({ projectId, webhookId }) => ({
      path: `/projects/${projectId}/webhooks/${webhookId}`,
      method: 'PATCH',
      body: { disabled: true },
    }),
  },
  {
    ability: 'webhook.rotate',
    ask: ({ projectId, webhookId }) => ({
      path: `/projects/${projectId}/webhooks/${webhookId}/rotate`,
      body: {},
    }),
  },
  {
    ability: 'webhook.ping',
    ask: ({ projectId, webhookId }) => ({
      path: `/projects/${projectId}/webhooks/${webhookId}/ping`,
      body: {},
    }),
  },
  {
    ability: 'webhook.delete',
    ask: ({ projectId, webhookId }) => ({
      path: `/projects/${projectId}/webhooks/${webhookId}`,
      method: 'DELETE',
    }),
  },
  { ability: 'usage.read', ask: ({ projectId }) => ({ path: `/projects/${projectId}/usage` }) },
  { ability: 'usage.read', ask: ({ projectId }) => ({ path: `/projects/${projectId}/logs` }) },
  { ability: 'audit.read', ask: () => ({ path: `${org}/audit` }) },
];

describe('roles', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
  });
  afterAll(() => service.stop());

  const ask = async (userId: string, path: string, init: { method?: string; body?: unknown } = {}) => {
    const answer = await service.manage(userId, path, init);
    const body = await answer.json();
    return { status: answer.status, body };
  };

  /** The id of each member is the name of the role. */
  async function makeWorld(): Promise<World> {
    await ask('owner', '/orgs', { body: { name: 'Daily Planet', slug: SLUG } });
    const guest = 'guest';
    const members: [string, Role][] = [
      ['admin', 'admin'],
      ['developer', 'developer'],
      ['viewer', 'viewer'],
      [guest, 'viewer'],
    ];
    for (const [userId, role] of members) await ask('owner', `${org}/members`, { body: { userId, role } });
    const project = await ask('owner', '/projects', { body: { orgSlug: SLUG, name: 'Front page' } });
    const key = await ask('owner', '/api-keys', { body: { projectId: project.body.id, name: 'key' } });
    const hooks = `/projects/${project.body.id}/webhooks`;
    const webhook = await ask('owner', hooks, { body: { url: HOOK } });
    const invited = await ask('owner', `${org}/invitations`, { body: { role: 'viewer' } });
    const ids = { keyId: key.body.id, webhookId: webhook.body.id, invitationId: invited.body.id };
    return { projectId: project.body.id, ...ids, guest };
  }

  it('every ability of the table has a test call', () => {
    expect([...new Set(DEEDS.map(({ ability }) => ability))].toSorted()).toEqual(
      Object.keys(LOWEST_ROLE).toSorted(),
    );
  });

  const cells = DEEDS.flatMap((deed, index) =>
    ASKERS.map((asker) => ({ ability: deed.ability, asker, index })),
  );
  it.each(cells)(
    '$asker may call only what the role allows: $ability ($index)',
    async ({ ability, asker, index }) => {
      const world = await makeWorld();
      const deed = DEEDS[index] as Deed;
      const { path, ...init } = deed.ask(world);
      const { status, body } = await ask(asker, path, init);
      expect([status < 300 ? 'done' : body.error.code, asker]).toEqual([expectedOf(ability, asker), asker]);
      await ask('owner', org, { method: 'DELETE' });
    },
  );

  it('a developer may leave a log public and make it private, but not make it public', async () => {
    const { projectId } = await makeWorld();
    const setAs = async (userId: string, publicLog: boolean) => {
      const body = { publicLog, name: 'Saved form' };
      return (await ask(userId, `/projects/${projectId}`, { method: 'PUT', body })).status;
    };
    expect(await setAs('admin', true)).toBe(200);
    expect(await setAs('developer', true)).toBe(200);
    expect(await setAs('developer', false)).toBe(200);
    expect(await setAs('developer', true)).toBe(403);
    await ask('owner', org, { method: 'DELETE' });
  });

  it.each(ROLES.flatMap((own) => ROLES.map((given) => ({ own, given }))))(
    'only owners and admins may grant a role, and none above their own: $own grants $given',
    async ({ own, given }) => {
      await makeWorld();
      const added = await ask(own, `${org}/members`, { body: { userId: 'new', role: given } });
      const raised = await ask(own, `${org}/members/guest`, { method: 'PUT', body: { role: given } });
      const invited = await ask(own, `${org}/invitations`, { body: { role: given } });
      const may = isAtLeast(own, 'admin') && isAtLeast(own, given);
      const statuses = [added.status, raised.status, invited.status];
      expect(statuses).toEqual(may ? [201, 200, 201] : [403, 403, 403]);
      await ask('owner', org, { method: 'DELETE' });
    },
  );

  it.each([
    ['admin', 'owner', 403],
    ['admin', 'developer', 200],
    ['owner', 'admin', 200],
    ['developer', 'viewer', 403],
  ] as const)('when %s removes %s, the status is %i', async (own, other, status) => {
    await makeWorld();
    const removed = await ask(own, `${org}/members/${other}`, { method: 'DELETE' });
    expect(removed.status).toBe(status);
    await ask('owner', org, { method: 'DELETE' });
  });

  it('nobody withdraws an invitation with a role above their own', async () => {
    await makeWorld();
    const invited = await ask('owner', `${org}/invitations`, { body: { role: 'owner' } });
    const withdraw = async (userId: string) =>
      (await ask(userId, `${org}/invitations/${invited.body.id}`, { method: 'DELETE' })).status;
    expect([await withdraw('admin'), await withdraw('owner'), await withdraw('owner')]).toEqual([
      403, 200, 404,
    ]);
    await ask('owner', org, { method: 'DELETE' });
  });

  const permissions = ['read', 'write', 'admin'] as const;
  const highest = { owner: 'admin', admin: 'admin', developer: 'write', viewer: 'none' };
  it.each(ROLES.flatMap((own) => permissions.map((given) => ({ own, given }))))(
    'a member may create and rotate keys up to the permission of their role: $own, $given',
    async ({ own, given }) => {
      const { projectId } = await makeWorld();
      const made = await ask(own, '/api-keys', { body: { projectId, name: 'key', permissions: given } });
      const strong = await ask('owner', '/api-keys', {
        body: { projectId, name: 'key', permissions: given },
      });
      const rotated = await ask(own, `/api-keys/${strong.body.id}/rotate`, { body: {} });
      const may = permissions.indexOf(given) <= permissions.indexOf(highest[own] as 'read');
      expect([made.status, rotated.status]).toEqual(may ? [201, 201] : [403, 403]);
      await ask('owner', org, { method: 'DELETE' });
    },
  );

  it('a member may leave, but the last owner only after another member becomes owner', async () => {
    await makeWorld();
    const leave = (userId: string) => ask(userId, `${org}/members/${userId}`, { method: 'DELETE' });
    expect((await leave('viewer')).status).toBe(200);
    expect((await leave('viewer')).status).toBe(404);
    expect((await leave('owner')).body.error.code).toBe('Conflict');
    const down = await ask('owner', `${org}/members/owner`, { method: 'PUT', body: { role: 'admin' } });
    expect(down.body.error.code).toBe('Conflict');
    await ask('owner', `${org}/members/admin`, { method: 'PUT', body: { role: 'owner' } });
    expect((await leave('owner')).status).toBe(200);
    await ask('admin', org, { method: 'DELETE' });
  });

  it('one of eight owners who leave at the same time stays', async () => {
    await makeWorld();
    const owners = ['owner', ...Array.from({ length: 7 }, (_, index) => `owner-${index}`)];
    for (const userId of owners.slice(1))
      await ask('owner', `${org}/members`, { body: { userId, role: 'owner' } });
    const left = await Promise.all(
      owners.map((userId) => ask(userId, `${org}/members/${userId}`, { method: 'DELETE' })),
    );
    expect(left.filter(({ status }) => status === 200)).toHaveLength(7);
    for (const userId of owners) await ask(userId, org, { method: 'DELETE' });
  });
});

function isAtLeast(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(other);
}

/** Listed independently of the service's table. */
const MAY: Record<keyof typeof LOWEST_ROLE, readonly Role[]> = {
  'org.read': ['owner', 'admin', 'developer', 'viewer'],
  'org.update': ['owner', 'admin'],
  'org.delete': ['owner'],
  'member.list': ['owner', 'admin', 'developer', 'viewer'],
  'member.add': ['owner', 'admin'],
  'member.change': ['owner', 'admin'],
  'member.remove': ['owner', 'admin'],
  'invitation.list': ['owner', 'admin'],
  'invitation.withdraw': ['owner', 'admin'],
  'project.read': ['owner', 'admin', 'developer', 'viewer'],
  'project.create': ['owner', 'admin', 'developer'],
  'project.update': ['owner', 'admin', 'developer'],
  'project.publish-log': ['owner', 'admin'],
  'project.delete': ['owner', 'admin'],
  'api-key.list': ['owner', 'admin', 'developer'],
  'api-key.create': ['owner', 'admin', 'developer'],
  'api-key.rotate': ['owner', 'admin', 'developer'],
  'api-key.revoke': ['owner', 'admin', 'developer'],
  'webhook.list': ['owner', 'admin', 'developer'],
  'webhook.create': ['owner', 'admin', 'developer'],
  'webhook.update': ['owner', 'admin', 'developer'],
  'webhook.rotate': ['owner', 'admin', 'developer'],
  'webhook.ping': ['owner', 'admin', 'developer'],
  'webhook.delete': ['owner', 'admin', 'developer'],
  'usage.read': ['owner', 'admin', 'developer', 'viewer'],
  'audit.read': ['owner', 'admin'],
};

function expectedOf(ability: keyof typeof LOWEST_ROLE, asker: AnonymousActor): string {
  if (asker === 'stranger') return 'NotFound';
  return MAY[ability].includes(asker) ? 'done' : 'Forbidden';
}
