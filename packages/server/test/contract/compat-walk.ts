import { PNG } from '../support/media.js';
import type { Own, Step } from './walk.js';
import type { World } from './world.js';

/** `cids`: content of the other project. */
export function compatReadSteps({ entityId, derivedEntityId, sessionId }: World, cids: string[]): Step[] {
  const entities = [entityId, derivedEntityId];
  const path = (operation: string, input: string, theirs: string[]): Step => ({
    operation: `GET ${operation}`,
    input,
    theirs,
    ask: (id) => ({ target: operation.replace(/\{\w+\}/, encodeURIComponent(id)) }),
  });
  return [
    path('/entity/{id}', 'path.id', entities),
    path('/entity/{id}/ai-agent', 'path.id', entities),
    ...['bundle', 'provenance', 'graph', 'distribution'].map((name) =>
      path(`/${name}/{cid}`, 'path.cid', cids),
    ),
    ...['similar', 'media/ai-check'].map((name) => path(`/${name}/{cid}`, 'path.cid', cids)),
    path('/session/{id}/provenance', 'path.id', [sessionId]),
    {
      operation: 'POST /search/file',
      input: 'body.file',
      theirs: [PNG.toString('latin1')],
      ask: (bytes) => ({ target: '/search/file', form: { file: Buffer.from(bytes, 'latin1') } }),
    },
    {
      operation: 'POST /distribution/preview',
      input: 'body.cids',
      theirs: cids,
      ask: (cid) => ({ target: '/distribution/preview', json: { cids: [cid], combine: true } }),
    },
  ];
}

export function compatWriteSteps(
  { entityId, derivedEntityId, sessionId, signed }: World,
  own: Own,
  cids: string[],
): Step[] {
  const entities = [entityId, derivedEntityId];
  const agents: [member: string, theirs: string[], toAgent: (id: string) => object][] = [
    ['delegatedBy', entities, (delegatedBy) => ({ delegatedBy })],
    ['collaborators', entities, (id) => ({ collaborators: [id] })],
    ['sessionId', [sessionId], (sessionId) => ({ sessionId })],
  ];
  const agent = (more: object) => ({ model: { provider: 'Acme', model: 'm' }, ...more });
  const record = (member: string, theirs: string[], toJson: (id: string) => object): Step => ({
    operation: 'POST /activity',
    input: `body.json.${member}`,
    theirs,
    ask: (id) => ({
      target: '/activity',
      form: {
        file: `file for ${member} ${id}`,
        json: { entity: { id: own.entityId, role: 'ai' }, ...toJson(id) },
      },
    }),
  });
  return [
    record('action.inputCids', cids, (id) => ({ action: { inputCids: [id] } })),
    record('action.toolCid', cids, (id) => ({ action: { toolCid: id } })),
    record('sessionId', [sessionId], (sessionId) => ({ sessionId })),
    record('entity.id', [`${entityId}:2`, `${derivedEntityId}:2`], (id) => ({
      entity: { id, role: 'human', name: 'Taken' },
    })),
    ...agents.map(([member, theirs, toAgent]) =>
      record(`entity.aiAgent.${member}`, theirs, (id) => ({
        entity: { role: 'ai', aiAgent: agent(toAgent(id)) },
      })),
    ),
    {
      operation: 'POST /activity',
      input: 'body.file',
      theirs: [Buffer.from(signed ?? []).toString('latin1')],
      ask: (bytes) => ({
        target: '/activity',
        form: { file: Buffer.from(bytes, 'latin1'), json: { entity: { id: own.entityId, role: 'ai' } } },
      }),
    },
    {
      operation: 'POST /entity',
      input: 'body.id',
      theirs: entities,
      ask: (id) => ({ target: '/entity', json: { id, role: 'human', name: 'Taken', wallet: '0x99' } }),
    },
    ...agents.map(
      ([member, theirs, toAgent]): Step => ({
        operation: 'POST /entity',
        input: `body.aiAgent.${member}`,
        theirs,
        ask: (id) => ({ target: '/entity', json: { role: 'ai', aiAgent: agent(toAgent(id)) } }),
      }),
    ),
  ];
}
