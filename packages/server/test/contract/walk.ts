import { createHash } from 'node:crypto';
import { parseContentId } from '@colophon/model';
import { toInstanceCode } from '../support/instance-code.js';
import { PNG } from '../support/media.js';
import type { Call } from './calls.js';
import { compatReadSteps, compatWriteSteps } from './compat-walk.js';
import { ownershipSteps } from './ownership-walk.js';
import { publicationSteps } from './publication-walk.js';
import { titleSteps } from './title-walk.js';
import type { World } from './world.js';

export interface Step {
  operation: string;
  input: string;
  /** Values that name a record of the other project, in each form of the name. */
  theirs: string[];
  ask: (id: string) => Omit<Call, 'status'>;
  /** Default: `neverLike`. */
  never?: (id: string) => string;
}

/** Inputs that name no record, by the last part of their names. */
export const NAMES_NOTHING = new Set([
  ...[
    'role',
    'name',
    'wallet',
    'publicKey',
    'registrationSignature',
    'metadata',
    'extensions',
    'note',
    'weight',
  ],
  ...[
    'limit',
    'offset',
    'type',
    'direction',
    'depth',
    'range',
    'prefer',
    'format',
    'timestamp',
    'resourceType',
  ],
  ...['include', 'text', 'minScore', 'alg', 'maxResults', 'hintAlg', 'hintValue', 'returnActiveManifest'],
  ...['provider', 'model', 'version', 'algorithm', 'signature', 'signedTimestamp'],
  ...['leafIndex', 'size', 'from', 'to', 'level', 'tile', 'width', 'proofVersion'],
  ...[
    'generator',
    'aiDisclosure',
    'commentSyntax',
    'textForm',
    'title',
    'watermark',
    'actions',
    'use',
    'constraintInfo',
    'actionType',
  ],
  ...['evidenceType', 'evidenceRef', 'transferType', 'authorizationRef'],
  ...[
    'autonomyLevel',
    'capabilities',
    'level',
    'proof',
    'license',
    'address',
    'chainId',
    'method',
    'currency',
  ],
  ...['encrypt', 'combine', 'topK', 'min', 'query', 'resourceExtensions', 'projectId'],
  // The preview uses a sent bundle as it is.
  ...['policy', 'total', 'decay', 'attributions', 'entities', 'aliases', 'complete'],
  ...['since', 'until', 'ifNameDiffers', 'mimeType', 'tool', 'ai'],
  'vector',
  ...['withhold', 'expiresAt', 'titles', 'picture'],
  ...['signingCertificate', 'signingKey', 'signingAlgorithm', 'certificate', 'key', 'roles'],
]);

export interface Own {
  entityId: string;
  actionId: string;
  cid: string;
}

const PNG_DIGEST = createHash('sha256').update(PNG).digest('base64');

/** Steps that write create records with the requested names, so steps that read come first. */
export function walkOf(world: World, own: Own): Step[] {
  return [
    ...readSteps(world),
    ...compatReadSteps(world, cidsOf(world)),
    ...publicationSteps(world, own, cidsOf(world)),
    ...ownershipSteps(world, own, cidsOf(world)),
    ...titleSteps(cidsOf(world)),
    ...writeSteps(world, own),
    ...keyedSteps(world, own),
    ...compatWriteSteps(world, own, cidsOf(world)),
  ];
}

function readSteps(world: World): Step[] {
  const { entityId, derivedEntityId, actionId, attributionId, sessionId, cursors } = world;
  const cids = cidsOf(world);
  const path = (operation: string, input: string, theirs: string[]): Step => ({
    operation: `GET ${operation}`,
    input,
    theirs,
    ask: (id) => ({ target: operation.replace(/\{\w+\}/, encodeURIComponent(id)) }),
  });
  const query = (operation: string, name: string, theirs: string[]): Step => ({
    operation: `GET ${operation}`,
    input: `query.${name}`,
    theirs,
    ask: (id) => ({ target: `${operation}?${name}=${encodeURIComponent(id)}` }),
  });
  const content = path('/v1/resource/{cid}/content', 'path.cid', cids);
  return [
    path('/v1/entity/{id}', 'path.id', [entityId, derivedEntityId]),
    path('/v1/action/{id}', 'path.id', [actionId, actionId.toUpperCase()]),
    ...['bundle', 'graph', 'resource', 'similar', 'distribution'].map((name) =>
      path(`/v1/${name}/{cid}`, 'path.cid', cids),
    ),
    path('/v1/resource/{cid}/iscc', 'path.cid', cids),
    path('/v1/resource/{cid}/thumbnail', 'path.cid', cids),
    { ...query('/v1/search/iscc', 'code', [toInstanceCode(PNG)]), never: () => toInstanceCode(Buffer.of(1)) },
    path('/v1/c2pa/manifests/{manifestId}', 'path.manifestId', [world.manifestLabel]),
    {
      operation: 'GET /v1/c2pa/matches/byBinding',
      input: 'query.value',
      theirs: [PNG_DIGEST],
      ask: (value) => ({
        target: `/v1/c2pa/matches/byBinding?${new URLSearchParams({ alg: 'colophon.sha256', value })}`,
      }),
    },
    content,
    { ...content, operation: content.operation.replace('GET', 'HEAD') },
    path('/v1/entity/{id}/receipt', 'path.id', [entityId, derivedEntityId]),
    path('/v1/action/{id}/receipt', 'path.id', [actionId]),
    path('/v1/attribution/{id}/receipt', 'path.id', [attributionId]),
    path('/v1/entity/{id}/timestamp', 'path.id', [entityId, derivedEntityId]),
    path('/v1/action/{id}/timestamp', 'path.id', [actionId]),
    path('/v1/attribution/{id}/timestamp', 'path.id', [attributionId]),
    query('/v1/log/inclusion', 'recordId', [entityId, derivedEntityId, actionId, attributionId]),
    path('/v1/session/{id}/provenance', 'path.id', [sessionId]),
    query('/v1/actions', 'sessionId', [sessionId]),
    query('/v1/actions', 'performedBy', [entityId, derivedEntityId]),
    query('/v1/resources', 'creator', [entityId, derivedEntityId]),
    query('/v1/resources', 'maker', [entityId, derivedEntityId]),
    query('/v1/attributions', 'actionId', [actionId]),
    query('/v1/attributions', 'entityId', [entityId, derivedEntityId]),
    query('/v1/attributions', 'resourceCid', cids),
    ...(['entities', 'actions', 'attributions', 'resources'] as const).map((list) => ({
      ...query(`/v1/${list}`, 'cursor', [cursors[list]]),
      never: neverCursor,
    })),
    {
      ...query('/v1/compliance/marks', 'cursor', [cursors.marks]),
      never: neverCursor,
    },
  ];
}

function writeSteps(world: World, own: Own): Step[] {
  const { entityId, derivedEntityId, actionId, sessionId } = world;
  const entities = [entityId, derivedEntityId];
  const cids = cidsOf(world);
  const attribute = (member: string, theirs: string[]): Step => ({
    operation: 'POST /v1/attribution',
    input: `body.${member}`,
    theirs,
    ask: (id) => {
      const target = member === 'entityId' ? { actionId: own.actionId } : { entityId: own.entityId };
      return { target: '/v1/attribution', json: { role: 'source', ...target, [member]: id } };
    },
  });
  const vector: Step = {
    operation: 'POST /v1/resource/{cid}/vector',
    input: 'path.cid',
    theirs: cids,
    ask: (id) => ({
      target: `/v1/resource/${encodeURIComponent(id)}/vector`,
      json: { model: 'walk', vector: [1, 2] },
    }),
  };
  const act = (member: string, theirs: string[], toValue = (id: string): unknown => id): Step => ({
    operation: 'POST /v1/action',
    input: `body.${member}`,
    theirs,
    ask: (id) => ({ target: '/v1/action', json: { performedBy: own.entityId, [member]: toValue(id) } }),
  });
  const batch = (list: string, theirs: string[], toRecord: (id: string) => object): Step => ({
    operation: 'POST /v1/batch',
    input: `body.${list}`,
    theirs,
    ask: (id) => ({ target: '/v1/batch', json: { [list]: [toRecord(id)] } }),
  });
  const record = (member: string, theirs: string[], toJson: (id: string) => object): Step => ({
    operation: 'POST /v1/activity',
    input: `body.json.${member}`,
    theirs,
    ask: (id) => ({
      target: '/v1/activity',
      form: {
        file: `file of ${member} ${id}`,
        json: { entity: { id: own.entityId, role: 'ai' }, ...toJson(id) },
      },
    }),
  });
  const signing =
    (path: string) =>
    (member: string, theirs: string[], toValue = (id: string): unknown => id) =>
      ({
        operation: `POST ${path}`,
        input: `body.json.${member}`,
        theirs,
        ask: (id) => ({
          target: path,
          form: {
            // No step requests the CIDs of this file, which the first project also has.
            file: world.signed,
            json: {
              entityId: own.entityId,
              generator: 'x',
              aiDisclosure: 'ai_generated',
              [member]: toValue(id),
            },
          },
        }),
      }) satisfies Step;
  const preview = (input: string, theirs: string[], toJson: (id: string) => object): Step => ({
    operation: 'POST /v1/distribution/preview',
    input: `body.${input}`,
    theirs,
    ask: (id) => ({ target: '/v1/distribution/preview', json: toJson(id) }),
  });
  return [
    vector,
    preview('weights', entities, (entityId) => ({ weights: [{ entityId, weight: 1 }] })),
    preview('bundle.cid', cids, (cid) => ({
      bundle: { cid, actions: [], attributions: [{ entityId, resourceCid: cid, role: 'creator' }] },
    })),
    ...['/v1/media/embed', '/v1/mark']
      .map(signing)
      .flatMap((sign) => [
        sign('entityId', entities),
        sign('ingredients', cids, (id) => [{ cid: id }]),
        sign('actionId', [alter(actionId, 5)]),
        sign('sessionId', [sessionId]),
      ]),
    {
      operation: 'PATCH /v1/entity/{id}',
      input: 'path.id',
      theirs: entities,
      ask: (id) => ({ target: `/v1/entity/${encodeURIComponent(id)}`, json: { name: 'Taken' } }),
    },
    {
      operation: 'DELETE /v1/entity/{id}/personal-data',
      input: 'path.id',
      theirs: entities,
      ask: (id) => ({ target: `/v1/entity/${encodeURIComponent(id)}/personal-data` }),
    },
    attribute('entityId', entities),
    attribute('actionId', [actionId]),
    attribute('resourceCid', cids),
    batch('attributions', entities, (entityId) => ({ entityId, actionId: own.actionId, role: 'source' })),
    batch('attributions', [actionId], (id) => ({ entityId: own.entityId, actionId: id, role: 'source' })),
    batch('attributions', cids, (resourceCid) => ({ entityId: own.entityId, resourceCid, role: 'source' })),
    act('performedBy', entities),
    act('sessionId', [sessionId]),
    act('inputCids', cids, (id) => [id]),
    act('outputCids', cids, (id) => [id]),
    act('id', [actionId]),
    batch('entities', entities, (id) => ({ id, role: 'human', name: 'Taken' })),
    batch('actions', entities, (performedBy) => ({ performedBy })),
    batch('actions', [alter(actionId, 4)], (id) => ({ id, performedBy: own.entityId })),
    batch('actions', cids, (cid) => ({ performedBy: own.entityId, inputCids: [cid] })),
    batch('actions', cids, (cid) => ({ performedBy: own.entityId, outputCids: [cid] })),
    record('action.inputCids', cids, (id) => ({ action: { inputCids: [id] } })),
    record('sessionId', [sessionId], (sessionId) => ({ sessionId })),
    record('action.sessionId', [sessionId], (sessionId) => ({ action: { sessionId } })),
    record('action.id', [alter(actionId, 3)], (id) => ({ action: { id } })),
    record('entity.id', entities, (id) => ({ entity: { id, role: 'human', name: 'Taken' } })),
    {
      operation: 'POST /v1/activity',
      input: 'body.file',
      theirs: [PNG.toString('latin1')],
      ask: (bytes) => ({
        target: '/v1/activity',
        form: { file: Buffer.from(bytes, 'latin1'), json: { entity: { id: own.entityId, role: 'ai' } } },
      }),
    },
    {
      operation: 'POST /v1/c2pa/matches/byBinding',
      input: 'body.value',
      theirs: [PNG_DIGEST],
      ask: (value) => ({ target: '/v1/c2pa/matches/byBinding', json: { alg: 'colophon.sha256', value } }),
    },
    {
      operation: 'POST /v1/search/file',
      input: 'body.file',
      theirs: [PNG.toString('latin1')],
      ask: (bytes) => ({ target: '/v1/search/file', form: { file: Buffer.from(bytes, 'latin1') } }),
    },
    {
      operation: 'POST /v1/entity',
      input: 'body.id',
      theirs: entities,
      ask: (id) => ({ target: '/v1/entity', json: { id, role: 'human', name: 'Taken', wallet: '0x99' } }),
    },
  ];
}

/** For the second project, an Idempotency-Key of the first project is unused. */
function keyedSteps({ idempotencyKey, signed }: World, { entityId, actionId }: Own): Step[] {
  const unknown = `/v1/resource/sha256:${'99'.repeat(32)}/ownership`;
  const entity = { id: entityId, role: 'ai' };
  const said = { entityId, generator: 'x', aiDisclosure: 'ai_generated' };
  const asks: Record<string, (key: string) => Omit<Call, 'status'>> = {
    '/v1/action': () => ({ target: '/v1/action', json: { performedBy: entityId } }),
    '/v1/activity': (key) => ({ target: '/v1/activity', form: { file: `by ${key}`, json: { entity } } }),
    '/v1/attribution': (key) => ({
      target: '/v1/attribution',
      json: { entityId, actionId, role: `ext:${key}` },
    }),
    '/v1/batch': () => ({ target: '/v1/batch', json: { actions: [{ performedBy: entityId }] } }),
    '/v1/entity': () => ({ target: '/v1/entity', json: entity }),
    '/v1/mark': () => ({ target: '/v1/mark', form: { file: signed, json: said } }),
    '/v1/media/embed': () => ({ target: '/v1/media/embed', form: { file: signed, json: said } }),
    '/v1/resource/{cid}/ownership/claim': () => ({
      target: `${unknown}/claim`,
      json: { entityId, evidenceType: 'signed-content' },
    }),
    '/v1/resource/{cid}/ownership/transfer': () => ({
      target: `${unknown}/transfer`,
      json: { performedBy: entityId, transferType: 'voluntary', toEntityId: entityId },
    }),
  };
  return Object.entries(asks).map(([path, ask]) => ({
    operation: `POST ${path}`,
    input: 'header.idempotency-key',
    theirs: [idempotencyKey],
    ask: (key) => ({ ...ask(key), headers: { 'idempotency-key': key } }),
  }));
}

function cidsOf({ fileCid, outputCid, largeCid, largeSha256, largeRawCid }: World): string[] {
  return [fileCid, outputCid, largeCid, largeSha256, largeRawCid];
}

/** The name differs from `id` in one character. */
export function neverLike(id: string): string {
  return alter(id, 10);
}

function alter(id: string, fromEnd: number): string {
  const at = Math.max(0, id.length - fromEnd);
  const other = /[A-F]/.test(id.charAt(at)) ? 'ABA' : 'aba';
  return id.slice(0, at) + other.charAt(other.indexOf(id.charAt(at)) + 1) + id.slice(at + 1);
}

function neverCursor(cursor: string): string {
  const [list, at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[];
  return Buffer.from(JSON.stringify([list, at, neverLike(id ?? '')])).toString('base64url');
}

/**
 * Removes the parts that may differ between two requests: the requested name in each form, the name of the sent file,
 * and values such as ids, times and digests.
 */
export function normalise(text: string, id: string, call: Omit<Call, 'status'>): string {
  const file = call.form?.file;
  const fileCid = file === undefined ? undefined : parseContentId(`sha256:${sha256(file)}`);
  const names = [id, id.toLowerCase(), encodeURIComponent(id), parseContentId(id)];
  const replaced = names.reduce<string>((kept, name) => (name ? kept.replaceAll(name, '<id>') : kept), text);
  return (
    (fileCid === undefined ? replaced : replaced.replaceAll(fileCid, '<file>'))
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
      // Each signature differs, so the CID and the size of the signed file differ too.
      .replaceAll(
        /^\/v1\/(?:media\/embed|mark)/.test(call.target) ? /\bba[a-z2-7]{50,}|"size":\d+/g : '<none>',
        '<signed>',
      )
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<instant>')
      .replaceAll(/sha256:[0-9a-f]{64}/g, '<digest>')
  );
}

function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
