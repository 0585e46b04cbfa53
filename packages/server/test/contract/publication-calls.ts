import { PNG } from '../support/media.js';
import type { Call, CallTerms } from './calls.js';
import type { Usual } from './compat-calls.js';

const UNKNOWN_CID = `sha256:${'0'.repeat(64)}`;
const UNKNOWN_ID = 'A'.repeat(24);

export function publicationCalls(
  { world, tooLarge }: CallTerms,
  { faultyBodies, commonErrors }: Usual,
): Record<string, Call[]> {
  const { outputCid, largeSha256, entityId, publicationId, sparePublicationId } = world;
  const all = '/v1/publications';
  const full = {
    cid: largeSha256,
    title: 'A published picture',
    withhold: ['names', 'tools'],
    hiddenEntities: [entityId],
    picture: true,
    license: true,
    expiresAt: '2999-01-01T00:00:00+01:00',
  };
  const one = (id: string) => `${all}/${id}`;
  return {
    'POST /v1/publications': [
      { status: 201, target: all, json: full },
      { status: 201, target: all, json: { cid: outputCid, withhold: [], hiddenEntities: 'all' } },
      { status: 404, target: all, json: { cid: UNKNOWN_CID } },
      { status: 404, target: all, json: { ...full, hiddenEntities: ['none'] } },
      { status: 422, target: all, json: { ...full, expiresAt: '2020-01-01T00:00:00Z' } },
      ...faultyBodies(all),
    ],
    'GET /v1/publications': [
      { status: 200, target: all },
      { status: 200, target: `${all}?limit=1&cid=${outputCid}` },
      { status: 200, target: `${all}?cursor=${publicationId}` },
      { status: 400, target: `${all}?cursor=nonsense` },
      { status: 403, target: all, as: 'reader' },
      ...commonErrors(all),
    ],
    'DELETE /v1/publications/{id}': [
      { status: 200, target: one(sparePublicationId) },
      { status: 200, target: one(sparePublicationId) },
      { status: 400, target: one('nonsense') },
      { status: 403, target: one(publicationId), as: 'reader' },
      { status: 404, target: one(UNKNOWN_ID) },
      ...commonErrors(one(publicationId)).filter(({ status }) => status !== 304),
    ],
    'POST /v1/publications/{id}/restore': [
      { status: 200, target: `${one(sparePublicationId)}/restore` },
      { status: 200, target: `${one(sparePublicationId)}/restore` },
      { status: 400, target: `${one('nonsense')}/restore` },
      { status: 403, target: `${one(publicationId)}/restore`, as: 'reader' },
      { status: 404, target: `${one(UNKNOWN_ID)}/restore` },
      ...commonErrors(`${one(publicationId)}/restore`).filter(({ status }) => status !== 304),
    ],
    'GET /app/api/public/check': open(`/app/api/public/check?cid=${largeSha256}`, [
      { status: 200, target: `/app/api/public/check?cid=${UNKNOWN_CID}`, as: 'nobody' },
      { status: 400, target: '/app/api/public/check?cid=nonsense', as: 'nobody' },
    ]),
    'GET /app/api/public/detector': open('/app/api/public/detector', []),
    'POST /public/detect': [
      { status: 200, target: '/public/detect', as: 'nobody', form: { file: PNG } },
      { status: 200, target: '/public/detect', as: 'nobody', form: { file: world.signed } },
      {
        status: 406,
        target: '/public/detect',
        as: 'nobody',
        form: { file: PNG },
        headers: { accept: 'text/html' },
      },
      { status: 413, target: '/public/detect', as: 'nobody', form: { file: tooLarge } },
      { status: 415, target: '/public/detect', as: 'nobody', json: {} },
      {
        status: 400,
        target: '/public/detect',
        as: 'nobody',
        text: '--b--',
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      },
    ],
    ...publicBindingCalls({ world, tooLarge }),
    'GET /public/labels': open('/public/labels?language=en', [
      { status: 400, target: '/public/labels?language=tlh', as: 'nobody' },
    ]),
    'GET /public/labels/{icon}.svg': open('/public/labels/ai.svg', [
      { status: 400, target: '/public/labels/human.svg', as: 'nobody' },
    ]).filter(({ status }) => status !== 406),
    'GET /app/api/public/{id}': published(publicationId, ''),
    'GET /app/api/public/{id}/summary': published(publicationId, '/summary'),
    'GET /app/api/public/{id}/proof': published(publicationId, '/proof'),
    'GET /app/api/public/{id}/picture': [
      ...published(world.picturePublicationId, '/picture').filter(({ status }) => status !== 406),
      { status: 404, target: `/app/api/public/${publicationId}/picture`, as: 'nobody' },
    ],
  };
}

function publicBindingCalls({
  world,
  tooLarge,
}: Pick<CallTerms, 'world' | 'tooLarge'>): Record<string, Call[]> {
  const binding = { alg: 'colophon.sha256', value: Buffer.alloc(32, 7).toString('base64') };
  const byBinding = '/public/c2pa/matches/byBinding';
  const manifest = `/public/c2pa/manifests/${encodeURIComponent(world.manifestLabel)}`;
  const content = {
    target: '/public/c2pa/matches/byContent',
    as: 'nobody',
    headers: { 'content-type': 'text/plain' },
  } as const;
  const html = { accept: 'text/html' };
  const csv = { text: 'a,b', headers: { 'content-type': 'text/csv' } };
  const text = 'A text of some length that nobody has recorded so far. '.repeat(3);
  return {
    'GET /public/c2pa/matches/byBinding': open(`${byBinding}?${new URLSearchParams(binding)}`, [
      { status: 400, target: byBinding, as: 'nobody' },
    ]),
    'POST /public/c2pa/matches/byBinding': [
      { status: 200, target: `${byBinding}?maxResults=3`, as: 'nobody', json: binding },
      { status: 400, target: byBinding, as: 'nobody', json: { ...binding, value: 'AAAA' } },
      { status: 406, target: byBinding, as: 'nobody', json: binding, headers: html },
      { status: 422, target: byBinding, as: 'nobody', json: { nosuch: 1 } },
      { status: 413, target: byBinding, as: 'nobody', json: 'x'.repeat(2 ** 20) },
      { status: 415, target: byBinding, as: 'nobody', ...csv },
    ],
    'POST /public/c2pa/matches/byContent': [
      { status: 200, ...content, text },
      { status: 400, ...content, target: `${content.target}?maxResults=0`, text: 'x' },
      { status: 406, ...content, text, headers: { ...content.headers, ...html } },
      { status: 413, ...content, text: 'x'.repeat(tooLarge.length) },
      { status: 415, ...content, text: '\u0000'.repeat(500) },
      { status: 422, ...content, text: 'too short' },
    ],
    'GET /public/c2pa/manifests/{manifestId}': open(manifest, [
      { status: 200, target: `${manifest}?returnActiveManifest=true`, as: 'nobody' },
      { status: 400, target: `${manifest}?returnActiveManifest=perhaps`, as: 'nobody' },
      { status: 404, target: '/public/c2pa/manifests/urn:c2pa:none', as: 'nobody' },
    ]).filter(({ status }) => status !== 406),
    'GET /public/c2pa/services/supportedAlgorithms': open('/public/c2pa/services/supportedAlgorithms', []),
  };
}

function published(id: string, part: string): Call[] {
  return open(`/app/api/public/${id}${part}`, [
    { status: 400, target: `/app/api/public/nonsense${part}`, as: 'nobody' },
    { status: 404, target: `/app/api/public/${UNKNOWN_ID}${part}`, as: 'nobody' },
  ]);
}

function open(target: string, more: Call[]): Call[] {
  return [
    { status: 200, target, as: 'nobody' },
    { status: 200, target },
    { status: 304, target, as: 'nobody', headers: { 'if-none-match': '*' } },
    { status: 406, target, as: 'nobody', headers: { accept: 'text/html' } },
    ...more,
  ];
}
