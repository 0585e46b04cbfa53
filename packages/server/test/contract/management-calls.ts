import { namedProjectId } from '../../src/access/create-key.js';
import { makeKeys, toPem } from '../support/signers.js';
import type { Call } from './calls.js';
import type { ManagedWorld } from './managed-world.js';

const UNKNOWN_ID = '0198c0de-0000-7000-8000-00000000ffff';

/** The default user is `ann`. */
export function managementCalls(world: ManagedWorld): Record<string, Call[]> {
  const calls = {
    ...accountCalls(),
    ...orgCalls(world),
    ...memberCalls(world),
    ...invitationCalls(world),
    ...projectCalls(world),
    ...keyCalls(world),
    ...webhookCalls(world),
  };
  return Object.fromEntries(
    Object.entries(calls).map(([name, ofOperation]) => [name, ofOperation.map(asManager)]),
  );
}

function asManager(call: Call): Call {
  const headers = { 'x-user-id': 'ann', ...call.headers };
  return call.as === undefined ? { ...call, as: 'manager', headers } : { ...call, headers };
}

const by = (userId: string) => ({ headers: { 'x-user-id': userId } });

function accountCalls(): Record<string, Call[]> {
  const me = '/management/users/me';
  const whole = {
    email: 'ann@example.org',
    name: 'Ann',
    avatar: 'https://example.org/a.png',
    wallet: '0x01',
  };
  return {
    'GET /management/users/me': [{ status: 200, target: me }, ...commonErrors(me)],
    'PUT /management/users/me': [
      { status: 200, target: me, json: whole },
      { status: 200, target: me, json: { email: null } },
      { status: 201, target: me, json: {}, ...by('did:new:user') },
      ...faultyBodies(me),
    ],
    'GET /management/network': [
      { status: 200, target: '/management/network' },
      ...commonErrors('/management/network'),
    ],
  };
}

function orgCalls({ orgSlug, spareOrgSlug, auditCursor }: ManagedWorld): Record<string, Call[]> {
  const orgs = '/management/orgs';
  const one = `${orgs}/${orgSlug}`;
  return {
    'GET /management/orgs': [{ status: 200, target: orgs }, ...commonErrors(orgs)],
    'POST /management/orgs': [
      { status: 201, target: orgs, json: { name: 'Nürnberg & Söhne', slug: 'n-1' } },
      { status: 409, target: orgs, json: { name: 'Again', slug: orgSlug } },
      ...faultyBodies(orgs),
    ],
    'GET /management/orgs/{slug}': readCalls(one),
    'PUT /management/orgs/{slug}': [
      { status: 200, target: one, json: { name: 'Daily Planet 2' } },
      ...faultyBodies(one),
      ...refusedTo('vic', one, { name: 'No' }),
    ],
    'DELETE /management/orgs/{slug}': [
      ...refusedTo('vic', one),
      { status: 400, target: `${orgs}/NO` },
      { status: 409, target: `${orgs}/local`, ...by('operator') },
      { status: 200, target: `${orgs}/${spareOrgSlug}` },
      ...commonErrors(one),
    ],
    'GET /management/orgs/{slug}/audit': [
      ...readCalls(`${one}/audit`),
      { status: 200, target: `${one}/audit?limit=2` },
      { status: 200, target: `${one}/audit?cursor=${auditCursor}` },
      { status: 400, target: `${one}/audit?cursor=x` },
    ],
  };
}

function memberCalls({ orgSlug }: ManagedWorld): Record<string, Call[]> {
  const members = `/management/orgs/${orgSlug}/members`;
  const one = `${members}/eve`;
  return {
    'GET /management/orgs/{slug}/members': readCalls(members),
    'POST /management/orgs/{slug}/members': [
      { status: 201, target: members, json: { userId: 'eve' } },
      { status: 409, target: members, json: { userId: 'eve', role: 'viewer' } },
      ...faultyBodies(members),
      ...refusedTo('dev', members, { userId: 'fay' }),
    ],
    'PUT /management/orgs/{slug}/members/{userId}': [
      { status: 200, target: one, json: { role: 'viewer' } },
      { status: 404, target: `${members}/nobody`, json: { role: 'viewer' } },
      { status: 409, target: `${members}/ann`, json: { role: 'admin' } },
      ...faultyBodies(one),
      ...refusedTo('dev', one, { role: 'admin' }),
    ],
    'DELETE /management/orgs/{slug}/members/{userId}': [
      ...refusedTo('dev', one),
      { status: 400, target: `${members}/%0A` },
      { status: 409, target: `${members}/ann` },
      { status: 200, target: one },
      ...commonErrors(one),
    ],
  };
}

function invitationCalls({ orgSlug, invitationId }: ManagedWorld): Record<string, Call[]> {
  const invitations = `/management/orgs/${orgSlug}/invitations`;
  const one = `${invitations}/${invitationId}`;
  return {
    'GET /management/orgs/{slug}/invitations': [
      ...readCalls(invitations),
      { status: 403, target: invitations, ...by('dev') },
    ],
    'POST /management/orgs/{slug}/invitations': [
      { status: 201, target: invitations, json: { role: 'viewer' } },
      { status: 422, target: invitations, json: {}, headers: { 'idempotency-key': 'x' } },
      ...faultyBodies(invitations),
      ...refusedTo('dev', invitations, {}),
    ],
    'DELETE /management/orgs/{slug}/invitations/{invitationId}': [
      ...refusedTo('dev', one),
      { status: 400, target: `${invitations}/nonsense` },
      { status: 404, target: `${invitations}/${UNKNOWN_ID}` },
      { status: 200, target: one },
      { status: 404, target: one },
      ...commonErrors(one),
    ],
  };
}

function projectCalls({
  orgSlug,
  projectId,
  otherSlug,
  spareProjectId,
}: ManagedWorld): Record<string, Call[]> {
  const projects = '/management/projects';
  const ofOrg = `/management/orgs/${orgSlug}/projects`;
  const one = `${projects}/${projectId}`;
  const lines = `${one}/logs`;
  const settings = {
    description: 'News',
    aiTrainingOptOut: true,
    signingKey: toPem(makeKeys('Ed25519').privateKey),
    storageType: 'local',
    ipfsProvider: 'pinata',
    ipfsApiKey: 'token-of-an-account',
    ipfsGateway: 'https://gateway.example',
  };
  return {
    'GET /management/projects/{id}': [...readCalls(one), { status: 200, target: `${projects}/${orgSlug}` }],
    'GET /management/orgs/{slug}/projects': readCalls(ofOrg),
    'GET /management/projects/{id}/usage': readCalls(`${one}/usage`),
    'GET /management/projects/{id}/logs': [
      ...readCalls(lines),
      { status: 200, target: `${lines}?limit=1` },
      { status: 400, target: `${lines}?limit=101` },
    ],
    'POST /management/projects': [
      { status: 201, target: projects, json: { orgSlug, name: 'A project', ...settings } },
      { status: 409, target: projects, json: { orgSlug, name: 'Again', slug: otherSlug } },
      { status: 404, target: projects, json: { orgSlug: 'none', name: 'Lost' } },
      ...faultyBodies(projects),
      { status: 403, target: projects, json: { orgSlug, name: 'No' }, ...by('vic') },
    ],
    'POST /management/orgs/{slug}/projects': [
      { status: 201, target: ofOrg, json: { name: 'ひ ひ', slug: 'nested' } },
      { status: 409, target: ofOrg, json: { name: 'Again', slug: otherSlug } },
      ...faultyBodies(ofOrg),
      ...refusedTo('vic', ofOrg, { name: 'No' }),
    ],
    'PUT /management/projects/{id}': [
      { status: 200, target: one, json: { name: 'Renamed', ...settings } },
      { status: 200, target: one, json: { signingKey: null, description: null } },
      { status: 409, target: one, json: { slug: otherSlug } },
      ...faultyBodies(one),
      ...refusedTo('vic', one, { name: 'No' }),
    ],
    'DELETE /management/projects/{id}': [
      ...refusedTo('dev', `${projects}/${spareProjectId}`),
      { status: 400, target: `${projects}/nonsense` },
      {
        status: 409,
        target: `${projects}/${namedProjectId('one')}`,
        ...by('operator'),
      },
      { status: 200, target: `${projects}/${spareProjectId}` },
      ...commonErrors(one),
    ],
  };
}

function keyCalls({ projectId, spareKeyIds, key }: ManagedWorld): Record<string, Call[]> {
  const keys = '/management/api-keys';
  const ofProject = `/management/projects/${projectId}/api-keys`;
  const [revoked, rotated] = spareKeyIds;
  const details = { name: 'for the press', permissions: 'admin', expiresInDays: 30 };
  const question = '/management/auth/validate-key';
  const rotate = `${keys}/${rotated}/rotate`;
  return {
    'GET /management/api-keys/{id}': readCalls(`${keys}/${projectId}`),
    'GET /management/projects/{id}/api-keys': readCalls(ofProject),
    'POST /management/api-keys': [
      { status: 201, target: keys, json: { projectId, name: 'plain' } },
      { status: 201, target: keys, json: { projectId, name: 'bound', entityId: 'studio:ann' } },
      { status: 422, target: keys, json: { projectId, ...details, entityId: 'studio:ann' } },
      { status: 404, target: keys, json: { projectId: UNKNOWN_ID, name: 'lost' } },
      { status: 403, target: keys, json: { projectId, ...details }, ...by('dev') },
      ...faultyBodies(keys),
    ],
    'POST /management/projects/{id}/api-keys': [
      { status: 201, target: ofProject, json: details },
      ...faultyBodies(ofProject),
      ...refusedTo('vic', ofProject, { name: 'no' }),
    ],
    'POST /management/auth/validate-key': [
      { status: 200, target: question, json: { key } },
      { status: 200, target: question, json: { key: 'pk_live_nonsense' } },
      ...faultyBodies(question),
    ],
    'POST /management/api-keys/{id}/rotate': [
      ...refusedTo('vic', rotate, {}),
      { status: 201, target: rotate, json: { overlapHours: 0 } },
      { status: 409, target: rotate, json: {} },
      { status: 422, target: rotate, json: {}, headers: { 'idempotency-key': 'x' } },
      ...faultyBodies(rotate),
    ],
    'DELETE /management/api-keys/{id}': [
      ...refusedTo('vic', `${keys}/${revoked}`),
      { status: 400, target: `${keys}/nonsense` },
      { status: 200, target: `${keys}/${revoked}` },
      { status: 409, target: `${keys}/${revoked}` },
      ...commonErrors(`${keys}/${revoked}`),
    ],
  };
}

function webhookCalls({ projectId, webhookIds }: ManagedWorld): Record<string, Call[]> {
  const all = `/management/projects/${projectId}/webhooks`;
  const place = '/management/projects/{id}/webhooks';
  const [kept, spare] = webhookIds;
  const one = `${all}/${kept}`;
  const url = 'https://hooks.invalid/hook?token=1';
  const none = `${all}/${UNKNOWN_ID}`;
  const refusedKey = { status: 422, headers: { 'idempotency-key': 'x' } };
  return {
    [`GET ${place}`]: readCalls(all),
    [`POST ${place}`]: [
      { status: 201, target: all, json: { url, events: ['audit.mismatch'], description: 'for us' } },
      { ...refusedKey, target: all, json: { url } },
      { status: 422, target: all, json: { url: 'https://10.0.0.1/' } },
      { status: 422, target: all, json: { url: 'http://example.org/' } },
      ...Array.from({ length: 17 }, () => ({ status: 201, target: all, json: { url } })),
      { status: 409, target: all, json: { url } },
      ...faultyBodies(all),
      ...refusedTo('vic', all, { url }),
    ],
    [`PATCH ${place}/{webhookId}`]: [
      { status: 200, target: one, json: { url, disabled: true, description: null } },
      { status: 200, target: one, json: { disabled: false, events: ['action.recorded'] } },
      { status: 200, target: one, json: {} },
      { status: 404, target: none, json: {} },
      ...faultyBodies(one),
      ...refusedTo('vic', one, {}),
    ],
    [`POST ${place}/{webhookId}/rotate`]: [
      { status: 201, target: `${one}/rotate`, json: { overlapHours: 1 } },
      { ...refusedKey, target: `${one}/rotate`, json: {} },
      { status: 404, target: `${none}/rotate`, json: {} },
      ...faultyBodies(`${one}/rotate`),
      ...refusedTo('vic', `${one}/rotate`, {}),
    ],
    [`POST ${place}/{webhookId}/ping`]: [
      { status: 202, target: `${one}/ping`, json: {} },
      { status: 404, target: `${none}/ping`, json: {} },
      ...faultyBodies(`${one}/ping`),
      ...refusedTo('vic', `${one}/ping`, {}),
    ],
    [`GET ${place}/{webhookId}/deliveries`]: readCalls(`${one}/deliveries`),
    [`DELETE ${place}/{webhookId}`]: [
      ...refusedTo('vic', one),
      { status: 400, target: `${all}/nonsense` },
      { status: 200, target: `${all}/${spare}` },
      { status: 404, target: `${all}/${spare}` },
      ...commonErrors(one),
    ],
  };
}

function readCalls(target: string): Call[] {
  return [
    { status: 200, target },
    { status: 404, target, ...by('stranger') },
    {
      status: 404,
      target: target.replace(/(planet|[0-9a-f-]{36})/, (id) => (id === 'planet' ? 'none' : UNKNOWN_ID)),
    },
    { status: 400, target: target.replace(/(planet|[0-9a-f-]{36})/, '%C3%BC') },
    ...commonErrors(target),
  ];
}

function refusedTo(userId: string, target: string, json?: unknown): Call[] {
  const body = json === undefined ? {} : { json };
  return [
    { status: 403, target, ...body, ...by(userId) },
    { status: 404, target, ...body, ...by('stranger') },
  ];
}

function commonErrors(target: string, body: Pick<Call, 'json'> = {}): Call[] {
  return [
    { status: 401, target, as: 'nobody', ...body },
    { status: 401, target, as: 'reader', ...body },
    { status: 406, target, headers: { accept: 'text/html' }, ...body },
    { status: 400, target, headers: { 'x-user-id': '' }, ...body },
    { status: 400, target, headers: { 'x-user-id': 'a b' }, ...body },
  ];
}

function faultyBodies(target: string): Call[] {
  return [
    { status: 400, target, text: '{' },
    { status: 422, target, json: { nosuch: 1 } },
    { status: 413, target, json: 'x'.repeat(2 ** 20) },
    { status: 415, target, text: 'a,b', headers: { 'content-type': 'text/csv' } },
    ...commonErrors(target, { json: {} }),
  ];
}
