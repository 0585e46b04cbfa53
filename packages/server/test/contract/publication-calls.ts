import { PNG } from '../support/media.js';
import type { Call, CallTerms } from './calls.js';
import type { Usual } from './compat-calls.js';

const UNKNOWN_CID = `sha256:${'0'.repeat(64)}`;
const UNKNOWN_ID = 'A'.repeat(24);

/** Calls of the routes of publications, and of the public routes, which need no key. */
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
      { status: 400, target: '/app/api/public/nonsense/picture', as: 'nobody' },
      { status: 404, target: `/app/api/public/${publicationId}/picture`, as: 'nobody' },
      { status: 404, target: `/app/api/public/${UNKNOWN_ID}/picture`, as: 'nobody' },
    ],
  };
}

function published(id: string, part: string): Call[] {
  return open(`/app/api/public/${id}${part}`, [
    { status: 400, target: `/app/api/public/nonsense${part}`, as: 'nobody' },
    { status: 404, target: `/app/api/public/${UNKNOWN_ID}${part}`, as: 'nobody' },
  ]);
}

/** Calls of an operation that needs no key, without and with a key. */
function open(target: string, more: Call[]): Call[] {
  return [
    { status: 200, target, as: 'nobody' },
    { status: 200, target },
    { status: 304, target, as: 'nobody', headers: { 'if-none-match': '*' } },
    { status: 406, target, as: 'nobody', headers: { accept: 'text/html' } },
    ...more,
  ];
}
