import { compatCalls } from './compat-calls.js';
import { complianceCalls } from './compliance-calls.js';
import { logCalls } from './log-calls.js';
import type { ManagedWorld } from './managed-world.js';
import { managementCalls } from './management-calls.js';
import { mediaCalls } from './media-calls.js';
import { ownershipCalls } from './ownership-calls.js';
import { pageCalls } from './page-calls.js';
import type { PageWorld } from './page-world.js';
import { publicationCalls } from './publication-calls.js';
import { searchCalls } from './search-calls.js';
import type { World } from './world.js';

export interface Call {
  status: number;
  target: string;
  /** Default: the key of the project. */
  as?: 'nobody' | 'reader' | 'manager';
  headers?: Record<string, string>;
  /** JSON, plain text, or a form. */
  json?: unknown;
  text?: string;
  form?: { file?: Uint8Array | string; json?: unknown };
}

export interface CallTerms {
  world: World;
  managed: ManagedWorld;
  page: PageWorld;
  tooLarge: Uint8Array;
}

const UNKNOWN_CID = `sha256:${'0'.repeat(64)}`;
const PREFERS_RECEIPT = { prefer: 'return=representation' };
const UNKNOWN_ID = '0198c0de-0000-7000-8000-00000000ffff';

/**
 * Returns the calls, which a test must send in this order. Each documented status that a caller can cause has at least
 * one call.
 */
export function callsOf(options: CallTerms): Record<string, Call[]> {
  return {
    ...serviceCalls(),
    ...entityCalls(options),
    ...actionCalls(options),
    ...historyCalls(options),
    ...distributionCalls(options),
    ...ownershipCalls(options, { faultyBodies, commonErrors }),
    ...logCalls(options, commonErrors),
    ...complianceCalls(options, commonErrors),
    ...publicationCalls(options, { faultyBodies, commonErrors }),
    ...mediaCalls(options, commonErrors),
    ...searchCalls(options, commonErrors),
    ...compatCalls(options, { faultyBodies, commonErrors }),
    ...managementCalls(options.managed),
    ...pageCalls(options.page),
  };
}

function serviceCalls(): Record<string, Call[]> {
  return {
    'GET /': [
      { status: 200, target: '/' },
      { status: 302, target: '/', headers: { accept: 'text/html' } },
    ],
    'GET /healthz': [{ status: 200, target: '/healthz' }],
    'GET /readyz': [{ status: 200, target: '/readyz' }],
  };
}

function entityCalls({ world }: CallTerms): Record<string, Call[]> {
  const one = `/v1/entity/${encodeURIComponent(world.entityId)}`;
  const derived = `/v1/entity/${encodeURIComponent(world.derivedEntityId)}`;
  const full = {
    id: 'lab:7',
    role: 'organization',
    name: 'Lab',
    wallet: '0x07',
    publicKey: 'ab'.repeat(32),
    registrationSignature: 'cd'.repeat(64),
    metadata: { tags: ['x', null, { deep: 1.5 }] },
    extensions: { 'ext:note@1.0.0': { text: 'ü' } },
  };
  return {
    'POST /v1/entity': [
      { status: 201, target: '/v1/entity', json: full },
      { status: 200, target: '/v1/entity', json: full, headers: PREFERS_RECEIPT },
      { status: 201, target: '/v1/entity', json: { role: 'ext:robot' } },
      { status: 409, target: '/v1/entity', json: { id: world.entityId, role: 'ai' } },
      ...faultyBodies('/v1/entity'),
    ],
    'GET /v1/entity/{id}': [
      { status: 200, target: one },
      { status: 200, target: derived },
      { status: 400, target: '/v1/entity/%00' },
      { status: 404, target: '/v1/entity/none' },
      ...commonErrors(one),
    ],
    'PATCH /v1/entity/{id}': [
      { status: 200, target: derived, json: { name: 'Anna', wallet: '0x02', metadata: { b: 1 } } },
      { status: 200, target: derived, json: { name: null, metadata: null }, headers: PREFERS_RECEIPT },
      { status: 404, target: '/v1/entity/none', json: { name: 'x' } },
      { status: 409, target: one, json: { wallet: '0x03' } },
      ...faultyBodies(one),
    ],
    'DELETE /v1/entity/{id}/personal-data': [
      { status: 200, target: '/v1/entity/lab%3A7/personal-data' },
      { status: 200, target: '/v1/entity/lab%3A7/personal-data' },
      { status: 400, target: '/v1/entity/%00/personal-data' },
      { status: 403, target: `${one}/personal-data`, as: 'reader' },
      { status: 404, target: '/v1/entity/none/personal-data' },
      ...commonErrors(`${one}/personal-data`).filter(({ status }) => status !== 304),
    ],
    'GET /v1/resources': list('/v1/resources', [
      `type=text&creator=${encodeURIComponent(world.entityId)}&text=a+text&since=2000-01-01T00:00:00Z`,
      'title=a+photo&tool=Acme+painter-7&ai=unstated&mimeType=image/*',
      `cursor=${world.cursors.resources}`,
    ]),
    'GET /v1/entities': list('/v1/entities', ['role=human&offset=0', `cursor=${world.cursors.entities}`]),
  };
}

function actionCalls({ world, tooLarge }: CallTerms): Record<string, Call[]> {
  const { entityId, actionId, sessionId, fileCid, largeSha256, cursors } = world;
  const action = {
    id: '0198c0de-0000-7000-8000-000000000001',
    type: 'generate',
    performedBy: entityId,
    inputCids: [fileCid],
    outputCids: [`sha256:${'ee'.repeat(32)}`],
    sessionId,
    aiTool: { provider: 'Acme', model: 'painter', version: '2' },
    extensions: { 'ext:note@1.0.0': { text: 'x' } },
    timestamp: '2026-08-02T09:30:00+02:00',
    resourceType: 'image',
  };
  const proof = {
    ...{ algorithm: 'Ed25519', publicKey: 'ab'.repeat(32), signature: 'cd'.repeat(64) },
    ...{ timestamp: '2026-08-02T09:30:00.000Z', signedTimestamp: '2026-08-02T09:30:00Z' },
  };
  const attribution = { entityId, resourceCid: largeSha256, role: 'source', weight: 2, note: 'n' };
  const recorded = {
    entity: { role: 'human', name: 'Bo' },
    action: { id: '0198c0de-0000-7000-8000-000000000002', type: 'transform', inputCids: [fileCid] },
    resourceType: 'text',
    sessionId,
    attribution: { weight: '1/2', note: 'half' },
  };
  const batch = {
    entities: [{ id: 'lab:8', role: 'ai', name: 'Painter', metadata: { a: 1 } }],
    actions: [{ ...action, id: '0198c0de-0000-7000-8000-000000000003', performedBy: 'lab:8' }],
    attributions: [{ ...attribution, entityId: 'lab:8' }],
  };
  const activity = { target: '/v1/activity' };
  return {
    'POST /v1/action': [
      { status: 201, target: '/v1/action', json: action },
      { status: 200, target: '/v1/action', json: action, headers: PREFERS_RECEIPT },
      { status: 201, target: '/v1/action', json: { performedBy: world.derivedEntityId, proof } },
      { status: 404, target: '/v1/action', json: { performedBy: 'nobody' } },
      { status: 409, target: '/v1/action', json: { ...action, type: 'verify' } },
      ...faultyBodies('/v1/action'),
    ],
    'POST /v1/batch': [
      { status: 201, target: '/v1/batch', json: batch },
      { status: 200, target: '/v1/batch', json: batch },
      { status: 404, target: '/v1/batch', json: { actions: [{ performedBy: 'nobody' }] } },
      { status: 409, target: '/v1/batch', json: { actions: [{ ...action, type: 'verify' }] } },
      ...faultyBodies('/v1/batch', 2 ** 22),
    ],
    'GET /v1/action/{id}': [
      { status: 200, target: `/v1/action/${actionId}` },
      { status: 400, target: '/v1/action/7' },
      { status: 404, target: `/v1/action/${UNKNOWN_ID}` },
      ...commonErrors(`/v1/action/${actionId}`),
    ],
    'GET /v1/actions': list('/v1/actions', [
      `type=transform&sessionId=${encodeURIComponent(sessionId)}&performedBy=${encodeURIComponent(entityId)}`,
      `cursor=${cursors.actions}`,
    ]),
    'POST /v1/activity': [
      { status: 201, ...activity, form: { file: 'new bytes', json: recorded } },
      { status: 200, ...activity, form: { file: 'new bytes', json: recorded }, headers: PREFERS_RECEIPT },
      { status: 400, ...activity, form: { file: 'no words' } },
      { status: 409, ...activity, form: { file: world.large, json: { entity: { role: 'ai' } } } },
      { status: 422, ...activity, form: { file: 'x', json: { entity: { role: 'ai' }, nosuch: 1 } } },
      { status: 413, ...activity, form: { file: tooLarge, json: recorded } },
      { status: 415, ...activity, json: recorded },
      ...commonErrors('/v1/activity', { form: { file: 'x', json: recorded } }),
      { status: 403, ...activity, form: { file: 'x', json: recorded }, as: 'reader' },
    ],
    'POST /v1/attribution': [
      { status: 201, target: '/v1/attribution', json: attribution },
      { status: 200, target: '/v1/attribution', json: attribution, headers: PREFERS_RECEIPT },
      { status: 404, target: '/v1/attribution', json: { ...attribution, resourceCid: UNKNOWN_CID } },
      ...faultyBodies('/v1/attribution'),
    ],
    'GET /v1/attributions': list('/v1/attributions', [
      `actionId=${actionId}&entityId=${encodeURIComponent(entityId)}&role=contributor`,
      `resourceCid=${largeSha256}`,
      `cursor=${cursors.attributions}`,
    ]),
  };
}

const ABSENT_AS_204 = { prefer: 'absent=no-content' };

function historyCalls({ world }: CallTerms): Record<string, Call[]> {
  const { outputCid, fileCid, pictureCid, largeCid, largeSha256, sessionId } = world;
  const content = `/v1/resource/${fileCid}/content`;
  const bytes: Call[] = [
    { status: 200, target: content },
    { status: 206, target: content, headers: { range: 'bytes=1-3' } },
    { status: 304, target: content, headers: { 'if-none-match': '*' } },
    { status: 200, target: `${content}?format=car` },
    { status: 400, target: `${content}?format=tar` },
    { status: 400, target: '/v1/resource/nonsense/content' },
    { status: 404, target: `/v1/resource/${outputCid}/content` },
    { status: 416, target: content, headers: { range: 'bytes=1000000-' } },
    { status: 401, target: content, as: 'nobody' },
  ];
  const thumbnail = `/v1/resource/${pictureCid}/thumbnail`;
  const thumbnails: Call[] = [
    { status: 200, target: thumbnail },
    { status: 304, target: thumbnail, headers: { 'if-none-match': '*' } },
    { status: 204, target: `/v1/resource/${outputCid}/thumbnail`, headers: ABSENT_AS_204 },
    { status: 400, target: '/v1/resource/nonsense/thumbnail' },
    { status: 404, target: `/v1/resource/${outputCid}/thumbnail` },
    { status: 401, target: thumbnail, as: 'nobody' },
  ];
  const ofContent = (before: string, queries: string[]): Call[] => [
    { status: 200, target: `${before}${outputCid}` },
    { status: 200, target: `${before}${largeSha256}` },
    ...queries.map((query) => ({ status: 200, target: `${before}${fileCid}?${query}` })),
    { status: 400, target: `${before}nonsense` },
    { status: 404, target: `${before}${UNKNOWN_CID}` },
    ...commonErrors(`${before}${largeCid}`),
  ];
  return {
    'GET /v1/bundle/{cid}': [
      ...ofContent('/v1/bundle/', [
        'direction=both&limit=1&depth=2',
        'direction=descendants',
        'proof=true',
        'format=prov-json',
        'format=ro-crate&direction=both',
        'proof=true&direction=both&limit=1&depth=2',
      ]),
      { status: 204, target: `/v1/bundle/${UNKNOWN_CID}`, headers: ABSENT_AS_204 },
    ],
    'GET /v1/graph/{cid}': ofContent('/v1/graph/', [
      'direction=both&limit=1&depth=2',
      'direction=descendants',
    ]),
    'GET /v1/session/{id}/provenance': [
      { status: 200, target: `/v1/session/${encodeURIComponent(sessionId)}/provenance` },
      { status: 200, target: '/v1/session/none/provenance' },
      { status: 400, target: '/v1/session/%0A/provenance' },
      ...commonErrors('/v1/session/none/provenance'),
    ],
    'GET /v1/resource/{cid}': ofContent('/v1/resource/', []),
    'PATCH /v1/resource/{cid}': [
      { status: 200, target: `/v1/resource/${fileCid}`, json: { title: 'A file' } },
      { status: 200, target: `/v1/resource/${largeSha256}`, json: { title: null } },
      { status: 400, target: '/v1/resource/nonsense', json: { title: 'x' } },
      { status: 404, target: `/v1/resource/${UNKNOWN_CID}`, json: { title: 'x' } },
      ...faultyBodies(`/v1/resource/${fileCid}`),
    ],
    'POST /v1/titles': [
      { status: 200, target: '/v1/titles', json: { cids: [fileCid, largeSha256, UNKNOWN_CID] } },
      ...faultyBodies('/v1/titles').filter(({ as }) => as !== 'reader'),
    ],
    'GET /v1/resource/{cid}/content': bytes,
    'GET /v1/resource/{cid}/thumbnail': thumbnails,
  };
}

function distributionCalls({ world }: CallTerms): Record<string, Call[]> {
  const { outputCid, fileCid, largeSha256, entityId } = world;
  const get = '/v1/distribution/';
  const preview = '/v1/distribution/preview';
  const weights = [
    { entityId, weight: '1/3', wallet: '0x01' },
    { entityId: 'bo', weight: 2.5 },
    { entityId: 'cy' },
  ];
  const bundle = {
    cid: outputCid,
    actions: [{ id: 'a', type: 'transform', inputCids: [fileCid], outputCids: [outputCid] }],
    attributions: [
      { id: 'n', entityId, actionId: 'a', role: 'creator', weight: 1 },
      {
        entityId: 'bo',
        resourceCid: fileCid,
        role: 'source',
        extensions: { 'ext:contrib@1.0.0': { weight: 2 } },
      },
    ],
    entities: [{ id: entityId, wallet: '0x01' }],
    aliases: { x: fileCid },
    complete: false,
  };
  const over = { bundle, policy: 'all-ancestors', decay: '1/3', depth: 2, total: 100 };
  const cyclic = { ...bundle, actions: [{ id: 'a', inputCids: [outputCid], outputCids: [outputCid] }] };
  return {
    'GET /v1/distribution/{cid}': [
      { status: 200, target: `${get}${outputCid}` },
      { status: 200, target: `${get}${largeSha256}?policy=parents&decay=0.5` },
      { status: 200, target: `${get}${outputCid}?policy=all-ancestors&depth=3&decay=1/3&total=100` },
      ...['policy=all', 'total=0', 'total=9007199254740992', 'decay=2&policy=parents', 'depth=1'].map(
        (query) => ({ status: 400, target: `${get}${outputCid}?${query}` }),
      ),
      { status: 404, target: `${get}${UNKNOWN_CID}` },
      ...commonErrors(`${get}${outputCid}`),
    ],
    'POST /v1/distribution/preview': [
      { status: 200, target: preview, json: { weights, total: 12 } },
      { status: 200, target: preview, json: { bundle } },
      { status: 200, target: preview, json: over },
      ...[{}, { weights, bundle }, { weights, policy: 'direct' }, { weights: [{ entityId, weight: 0 }] }].map(
        (json) => ({ status: 422, target: preview, json }),
      ),
      { status: 422, target: preview, json: { ...over, bundle: cyclic } },
      ...faultyBodies(preview).filter(({ as }) => as !== 'reader'),
    ],
  };
}

function list(path: string, queries: string[]): Call[] {
  return [
    { status: 200, target: path },
    { status: 200, target: `${path}?limit=1` },
    ...queries.map((query) => ({ status: 200, target: `${path}?${query}` })),
    { status: 400, target: `${path}?cursor=nonsense` },
    ...commonErrors(path),
  ];
}

/** Every operation refuses these requests. */
function commonErrors(target: string, body: Pick<Call, 'json' | 'form'> = {}): Call[] {
  const isRead = body.json === undefined && body.form === undefined;
  return [
    ...(isRead ? [{ status: 304, target, headers: { 'if-none-match': '*' } }] : []),
    { status: 401, target, as: 'nobody', ...body },
    { status: 406, target, headers: { accept: 'text/html' }, ...body },
  ];
}

function faultyBodies(target: string, tooLargeCharacters = 2 ** 20): Call[] {
  return [
    { status: 400, target, text: '{' },
    { status: 422, target, json: { nosuch: 1 } },
    { status: 413, target, json: 'x'.repeat(tooLargeCharacters) },
    { status: 415, target, text: 'a,b', headers: { 'content-type': 'text/csv' } },
    ...commonErrors(target, { json: {} }),
    { status: 403, target, json: {}, as: 'reader' },
  ];
}
