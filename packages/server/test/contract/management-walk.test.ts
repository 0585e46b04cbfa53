import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, MANAGEMENT_KEY, type Service, startService } from '../support/service.js';
import type { Call } from './calls.js';
import { type ManagedWorld, makeManagedWorld } from './managed-world.js';
import { managementCalls } from './management-calls.js';
import { type Operation, readOperations } from './operations.js';
import { sendCall } from './send-call.js';
import { neverLike } from './walk.js';

const OF_NOBODY = [
  'GET /management/network',
  'GET /management/orgs',
  'GET /management/users/me',
  'POST /management/auth/validate-key',
  'POST /management/orgs',
  'PUT /management/users/me',
];

/** Add a new route here only if it is meant to be open. */
const OPEN = [
  'GET /',
  'GET /app/api/session',
  'GET /healthz',
  'GET /log/{id}/checkpoint',
  'GET /log/{id}/tile/{level}/{tile}',
  'GET /log/{id}/tile/{level}/{tile}/{width}',
  'GET /public/c2pa/manifests/{manifestId}',
  'GET /public/c2pa/matches/byBinding',
  'GET /public/c2pa/services/supportedAlgorithms',
  'GET /public/labels',
  'GET /public/labels/{icon}.svg',
  'GET /readyz',
  'POST /app/api/accounts',
  'POST /app/api/invitation-checks',
  'POST /app/api/session',
  'POST /public/c2pa/matches/byBinding',
  'POST /public/c2pa/matches/byContent',
  'POST /public/detect',
];

const VOLATILE = ['date', 'etag', 'x-request-id'];
const CALLS = managementCalls({ spareKeyIds: ['', ''], webhookIds: ['', ''] } as unknown as ManagedWorld);
const NAMES = Object.keys(CALLS).filter((name) => !OF_NOBODY.includes(name));

describe('a user of another organisation', () => {
  let service: Service;
  let world: ManagedWorld;
  let calls: Record<string, Call[]>;
  let operations: Operation[];
  let before: unknown;

  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    world = await makeManagedWorld(service);
    calls = managementCalls(world);
    operations = readOperations(await (await fetch(`${service.base}/openapi.json`)).json());
    await service.manage('stranger', '/orgs', { body: { name: 'Elsewhere', slug: 'elsewhere' } });
    before = await readWorld();
  });
  afterAll(() => service.stop());

  async function readWorld(): Promise<unknown> {
    const { orgSlug, projectId } = world;
    const paths = [`/orgs/${orgSlug}`, `/orgs/${orgSlug}/members`, `/orgs/${orgSlug}/projects`];
    paths.push(`/orgs/${orgSlug}/invitations`);
    paths.push(`/projects/${projectId}`, `/projects/${projectId}/webhooks`, `/api-keys/${projectId}`);
    return Promise.all(paths.map(async (path) => (await service.manage('ann', path)).json()));
  }

  it('is tested with each operation that names a resource of an organisation; OPEN lists all open operations', () => {
    const documented = operations.map(({ name }) => name);
    const managed = documented.filter((name) => name.includes(' /management/'));
    expect([...NAMES, ...OF_NOBODY].toSorted()).toEqual(managed.toSorted());
    const nameless = operations.filter(
      ({ path, inputs }) =>
        path.startsWith('/management/') &&
        !inputs.some((input) => /^(path\.|body\.(projectId|orgSlug)$)/.test(input)),
    );
    expect(nameless.map(({ name }) => name).toSorted()).toEqual(OF_NOBODY);
    const open = operations.filter(({ secured, path }) => !secured && !path.startsWith('/app/api/public/'));
    expect(open.map(({ name }) => name).toSorted()).toEqual(OPEN);
  });

  it.each(NAMES)(
    '%s: gets the same 404 for resources of others as for resources that never existed',
    async (name) => {
      const call = calls[name]?.find(({ status }) => status < 300) as Call;
      const [theirs, never] = [await observe(name, call), await observe(name, toNever(call))];
      expect(theirs.status).toBe(404);
      expect(theirs).toEqual(never);
    },
  );

  it('changes nothing that the first organisation sees', async () => {
    expect(await readWorld()).toEqual(before);
  });

  const idsOf = ({
    orgSlug,
    spareOrgSlug,
    projectId,
    spareProjectId,
    spareKeyIds,
    webhookIds,
    invitationId,
  }: ManagedWorld) => [
    invitationId,
    ...[spareOrgSlug, orgSlug, projectId, spareProjectId],
    ...[...spareKeyIds, ...webhookIds],
  ];

  function toNever(call: Call): Call {
    const replace = (text: string) =>
      idsOf(world).reduce((kept, id) => kept.replaceAll(id, neverLike(id)), text);
    const json = call.json === undefined ? {} : { json: JSON.parse(replace(JSON.stringify(call.json))) };
    return { ...call, ...json, target: replace(call.target) };
  }

  /** Omits the parts that differ between two requests. */
  async function observe(name: string, { as: _, ...call }: Call) {
    const headers = { ...call.headers, 'x-user-id': 'stranger' };
    const method = name.split(' ')[0] ?? '';
    const answer = await sendCall(service.base, { ...call, headers, method, key: MANAGEMENT_KEY });
    const text = (await answer.text()).replace(/"requestId":"[^"]*"/, '');
    const kept = [...answer.headers].filter(([header]) => !VOLATILE.includes(header));
    const names = idsOf(world).flatMap((id) => [id, neverLike(id)]);
    return {
      status: answer.status,
      kept,
      text: names.reduce((said, id) => said.replaceAll(id, '<id>'), text),
    };
  }
});
