import type { Call, CallTerms } from './calls.js';
import { compatMediaCalls } from './compat-media-calls.js';

const UNKNOWN_CID = `sha256:${'0'.repeat(64)}`;

type Body = Pick<Call, 'json' | 'form'>;

/** Requests that an operation refuses. `faultyBodies` includes `commonErrors`. */
export interface Usual {
  faultyBodies: (target: string) => Call[];
  commonErrors: (target: string, body?: Body) => Call[];
}

export function compatCalls(options: CallTerms, usual: Usual): Record<string, Call[]> {
  return {
    ...entityCalls(options, usual),
    ...activityCalls(options, usual),
    ...readCalls(options, usual),
    ...compatMediaCalls(options, usual),
  };
}

function entityCalls({ world }: CallTerms, { faultyBodies, commonErrors }: Usual): Record<string, Call[]> {
  const one = `/entity/${encodeURIComponent(world.entityId)}`;
  const agent = {
    id: 'bot:7',
    role: 'ai',
    name: 'Bot',
    wallet: '0x07',
    publicKey: 'ab'.repeat(32),
    registrationSignature: 'cd'.repeat(64),
    metadata: { tags: ['x', null] },
    aiAgent: {
      model: { provider: 'Acme', model: 'painter', version: '2' },
      delegatedBy: world.entityId,
      autonomyLevel: 'assistive',
      collaborators: [world.entityId],
      sessionId: world.sessionId,
      capabilities: ['paint'],
    },
  };
  const { publicKey: _, registrationSignature: __, ...unkeyed } = agent;
  return {
    'POST /entity': [
      { status: 201, target: '/entity', json: agent },
      { status: 201, target: '/entity', json: { ...unkeyed, id: 'bot:8' } },
      { status: 201, target: '/entity', json: { ...unkeyed, id: 'bot:8', name: 'Robot' } },
      { status: 201, target: '/entity', json: { role: 'creator' } },
      { status: 409, target: '/entity', json: { id: world.entityId, role: 'ai' } },
      ...faultyBodies('/entity'),
    ],
    'GET /entity/{id}': [
      { status: 200, target: one },
      { status: 200, target: '/entity/bot:7' },
      { status: 400, target: '/entity/%00' },
      { status: 404, target: '/entity/none' },
      ...commonErrors(one),
    ],
    'GET /entity/{id}/ai-agent': [
      { status: 200, target: '/entity/bot:7/ai-agent' },
      { status: 400, target: '/entity/%00/ai-agent' },
      { status: 404, target: '/entity/none/ai-agent' },
      { status: 415, target: `${one}/ai-agent` },
      ...commonErrors('/entity/bot:7/ai-agent'),
    ],
    'GET /entities': [
      { status: 200, target: '/entities' },
      { status: 200, target: '/entities?role=human&limit=1&offset=1' },
      { status: 400, target: '/entities?limit=x' },
      ...commonErrors('/entities'),
    ],
  };
}

function activityCalls({ world, tooLarge }: CallTerms, { commonErrors }: Usual): Record<string, Call[]> {
  const recorded = {
    entity: { role: 'human', name: 'Bo' },
    action: {
      type: 'provide',
      inputCids: [world.fileCid],
      toolCid: world.fileCid,
      proof: 'text',
      extensions: { 'ext:note@1.0.0': { text: 'ü' } },
      aiTool: { provider: 'Acme', model: 'painter', prompt: 'a cat', tokensUsed: null, seed: 1 },
      toolAttestation: { level: 'self-declared', outputHash: 'ab' },
    },
    resourceType: 'text',
    resourceExtensions: { 'ext:colour@1.0.0': { main: 'red' } },
    sessionId: world.sessionId,
    encrypt: false,
    projectId: 'passed over',
    attribution: {
      contrib: { weight: 1, basis: 'points', note: 'n' },
      license: { type: 'own', commercial: false },
      payment: { address: '0x1', chainId: 1, method: 'direct', currency: 'EUR' },
    },
  };
  const activity = { target: '/activity' };
  return {
    'POST /activity': [
      { status: 201, ...activity, form: { file: 'newest bytes', json: recorded } },
      { status: 201, ...activity, form: { file: 'few words', json: { entity: { role: 'human' } } } },
      { status: 400, ...activity, form: { file: 'no words' } },
      { status: 409, ...activity, form: { file: world.large, json: { entity: { role: 'ai' } } } },
      { status: 422, ...activity, form: { file: 'x', json: { entity: { role: ' ' } } } },
      { status: 422, ...activity, form: { file: 'x', json: { entity: { role: 'ai' }, encrypt: true } } },
      { status: 413, ...activity, form: { file: tooLarge, json: recorded } },
      { status: 415, ...activity, json: recorded },
      ...commonErrors('/activity', { form: { file: 'x', json: recorded } }),
      { status: 403, ...activity, form: { file: 'x', json: recorded }, as: 'reader' },
    ],
  };
}

function readCalls({ world }: CallTerms, { faultyBodies, commonErrors }: Usual): Record<string, Call[]> {
  const { outputCid, fileCid, largeSha256, sessionId } = world;
  const ofContent = (before: string, queries: string[]): Call[] => [
    { status: 200, target: `${before}${outputCid}` },
    { status: 200, target: `${before}${largeSha256}` },
    ...queries.map((query) => ({ status: 200, target: `${before}${fileCid}?${query}` })),
    { status: 400, target: `${before}nonsense` },
    { status: 404, target: `${before}${UNKNOWN_CID}` },
    ...commonErrors(`${before}${fileCid}`),
  ];
  const session = `/session/${encodeURIComponent(sessionId)}/provenance`;
  const preview = '/distribution/preview';
  return {
    'GET /bundle/{cid}': ofContent('/bundle/', []),
    'GET /provenance/{cid}': ofContent('/provenance/', []),
    'GET /graph/{cid}': ofContent('/graph/', ['depth=2']).map((call) =>
      call.status === 404 ? { ...call, status: 200 } : call,
    ),
    'GET /session/{id}/provenance': [
      { status: 200, target: `${session}?projectId=x` },
      { status: 200, target: '/session/none/provenance' },
      { status: 400, target: '/session/%0A/provenance' },
      ...commonErrors(session),
    ],
    'GET /distribution/{cid}': ofContent('/distribution/', ['depth=3']),
    'POST /distribution/preview': [
      {
        status: 200,
        target: preview,
        json: { cids: [fileCid, outputCid, UNKNOWN_CID], combine: true, depth: 2 },
      },
      ...faultyBodies(preview).filter(({ as }) => as !== 'reader'),
    ],
  };
}
