import { namedProjectId } from '../../src/access/create-key.js';
import type { Call, CallTerms } from './calls.js';

const UNKNOWN_ID = '0198c0de-0000-7000-8000-00000000ffff';

export function logCalls(
  { world }: CallTerms,
  commonErrors: (target: string) => Call[],
): Record<string, Call[]> {
  const entity = encodeURIComponent(world.entityId);
  const receipt = (kind: string, id: string, wrong: string, never: string): Call[] => [
    { status: 200, target: `/v1/${kind}/${id}/receipt` },
    { status: 400, target: `/v1/${kind}/${wrong}/receipt` },
    { status: 404, target: `/v1/${kind}/${never}/receipt` },
    ...commonErrors(`/v1/${kind}/${id}/receipt`),
  ];
  // No authority is configured.
  const timestamp = (kind: string, id: string, wrong: string): Call[] => [
    { status: 400, target: `/v1/${kind}/${wrong}/timestamp` },
    { status: 404, target: `/v1/${kind}/${id}/timestamp` },
    ...commonErrors(`/v1/${kind}/${id}/timestamp`).filter(({ status }) => status === 401),
  ];
  const publicLog = `/log/${namedProjectId('one')}`;
  const inclusion = '/v1/log/inclusion?';
  const bytes = (target: string): Call[] =>
    commonErrors(target).filter(({ status }) => status === 401 || status === 304);
  return {
    'GET /v1/action/{id}/receipt': receipt('action', world.actionId, '7', UNKNOWN_ID),
    'GET /v1/entity/{id}/receipt': receipt('entity', entity, '%00', 'none'),
    'GET /v1/attribution/{id}/receipt': receipt('attribution', world.attributionId, '7', UNKNOWN_ID),
    'GET /v1/action/{id}/timestamp': timestamp('action', world.actionId, '7'),
    'GET /v1/entity/{id}/timestamp': timestamp('entity', entity, '%00'),
    'GET /v1/attribution/{id}/timestamp': timestamp('attribution', world.attributionId, '7'),
    'GET /v1/log': [{ status: 200, target: '/v1/log' }, ...commonErrors('/v1/log')],
    'GET /v1/log/keys': [{ status: 200, target: '/v1/log/keys' }, ...commonErrors('/v1/log/keys')],
    'GET /v1/log/checkpoint': [{ status: 200, target: '/v1/log/checkpoint' }, ...bytes('/v1/log/checkpoint')],
    'GET /v1/log/inclusion': [
      { status: 200, target: `${inclusion}leafIndex=0` },
      { status: 200, target: `${inclusion}leafIndex=0&size=1` },
      { status: 200, target: `${inclusion}recordId=${world.actionId}` },
      { status: 200, target: `${inclusion}recordId=${entity}` },
      { status: 400, target: `${inclusion}leafIndex=0&size=99999` },
      { status: 400, target: `${inclusion}leafIndex=0&recordId=${entity}` },
      { status: 404, target: `${inclusion}leafIndex=99999` },
      { status: 404, target: `${inclusion}recordId=none` },
      ...commonErrors(`${inclusion}leafIndex=0`),
    ],
    'GET /v1/log/consistency': [
      { status: 200, target: '/v1/log/consistency?from=1' },
      { status: 200, target: '/v1/log/consistency?from=2&to=3' },
      { status: 400, target: '/v1/log/consistency?from=3&to=2' },
      ...commonErrors('/v1/log/consistency?from=0'),
    ],
    'GET /v1/log/tile/{level}/{tile}': [
      { status: 404, target: '/v1/log/tile/0/0' },
      { status: 404, target: '/v1/log/tile/0/000' },
      { status: 401, target: '/v1/log/tile/0/000', as: 'nobody' },
    ],
    'GET /v1/log/tile/{level}/{tile}/{width}': [
      { status: 200, target: '/v1/log/tile/0/000.p/2' },
      { status: 200, target: '/v1/log/tile/entries/000.p/2' },
      { status: 404, target: '/v1/log/tile/0/000.p/0' },
      { status: 404, target: '/v1/log/tile/0/000.p/255' },
      ...bytes('/v1/log/tile/0/000.p/2'),
    ],
    'GET /log/{id}/checkpoint': [
      { status: 200, target: `${publicLog}/checkpoint`, as: 'nobody' },
      { status: 200, target: `${publicLog}/checkpoint` },
      { status: 400, target: '/log/none/checkpoint', as: 'nobody' },
      { status: 404, target: `/log/${UNKNOWN_ID}/checkpoint`, as: 'nobody' },
    ],
    'GET /log/{id}/tile/{level}/{tile}': [
      { status: 404, target: `${publicLog}/tile/0/000`, as: 'nobody' },
      { status: 400, target: '/log/none/tile/0/000', as: 'nobody' },
    ],
    'GET /log/{id}/tile/{level}/{tile}/{width}': [
      { status: 200, target: `${publicLog}/tile/0/000.p/2`, as: 'nobody' },
      { status: 200, target: `${publicLog}/tile/entries/000.p/2`, as: 'nobody' },
      { status: 404, target: `${publicLog}/tile/0/000.p/255`, as: 'nobody' },
      { status: 400, target: '/log/none/tile/0/000.p/2', as: 'nobody' },
    ],
  };
}
