import { AI_EXTENSION, type Entity, entityIdSchema } from '@colophon/model';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import { mapYielding } from '../../platform/work/map-yielding.js';
import { absent } from '../../records/read/absent.js';
import { listEntitiesInTurn, type Page } from '../../records/read/list-records.js';
import { readEntity } from '../../records/read/records.sql.js';
import { writeJson } from '../../records/read/write-json.js';
import { putEntity } from '../../records/write/put-entity.js';
import type { App, AppDeps } from '../app.js';
import { idempotently } from '../handlers/idempotency.js';
import { linkReceipt } from '../handlers/preferred-receipt.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf, readyMade } from '../wire/error-schemas.js';
import { listQuery } from '../wire/list-query.js';
import { projectOf } from '../wire/principal-of.js';
import { sendPieces } from '../wire/send-answer.js';
import { objectOf, provenanceKitEntitySchema, toProvenanceKitEntity } from './record-schemas.js';
import { provenanceKitEntityRequest, toEntityInput, toRole } from './request-schemas.js';

const params = z.object({ id: entityIdSchema });
const agentSchema = z.looseObject({});

export function entityRoutes(app: App, deps: Pick<AppDeps, 'records' | 'running'>): void {
  putOne(app, deps);
  getOne(app, deps);
  getAgent(app, deps);
  list(app, deps);
}

function putOne(app: App, deps: Pick<AppDeps, 'records' | 'running'>): void {
  app.post(
    '/entity',
    {
      config: { permission: 'write' },
      schema: {
        operationId: 'compatPutEntity',
        summary: 'Create an entity, or change the name and metadata of an entity that has no public key',
        body: provenanceKitEntityRequest,
        response: {
          201: z.object({ id: z.string(), entity: provenanceKitEntitySchema }),
          ...errorsOf('InvalidField', 'ValidationError', 'Conflict', 'Unsupported', 'PayloadTooLarge'),
        },
      },
    },
    (request, reply) =>
      idempotently({ deps, request, asked: request.body, signal: signalOfCaller(reply) }, async (keyed) => {
        const entity = await putEntity(keyed, projectOf(request), toEntityInput(request.body));
        linkReceipt(reply, 'entity', entity.id);
        return reply.code(201).send({ id: entity.id, entity: toProvenanceKitEntity(entity) });
      }),
  );
}

function getOne(app: App, deps: Pick<AppDeps, 'records'>): void {
  app.get(
    '/entity/:id',
    {
      schema: {
        operationId: 'compatGetEntity',
        summary: 'Get an entity with its AI agent data',
        params,
        response: {
          200: z.object({
            entity: provenanceKitEntitySchema,
            isAIAgent: z.boolean(),
            aiAgent: agentSchema.nullable(),
          }),
          ...errorsOf('InvalidField', 'NotFound'),
        },
      },
    },
    async (request) => {
      const entity = await requireEntity(deps, projectOf(request), request.params.id);
      const aiAgent = agentOf(entity) ?? null;
      const isAIAgent = aiAgent !== null || entity.role === 'ai';
      return { entity: toProvenanceKitEntity(entity), isAIAgent, aiAgent };
    },
  );
}

function getAgent(app: App, deps: Pick<AppDeps, 'records'>): void {
  app.get(
    '/entity/:id/ai-agent',
    {
      schema: {
        operationId: 'compatGetAgent',
        summary: 'Get the AI agent data of an entity',
        params,
        response: {
          200: z.object({ agentData: agentSchema }),
          ...errorsOf('InvalidField', 'NotFound', 'Unsupported'),
        },
      },
    },
    async (request) => {
      const entity = await requireEntity(deps, projectOf(request), request.params.id);
      const agentData = agentOf(entity);
      if (agentData === undefined)
        throw new ServiceError('Unsupported', `Entity ${entity.id} is not an AI agent.`);
      return { agentData };
    },
  );
}

function list(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/entities',
    {
      schema: {
        operationId: 'compatListEntities',
        summary: 'List entities, newest first',
        querystring: listQuery({ role: z.string().max(128).optional() }).omit({ cursor: true }),
        response: readyMade({
          200: z.object({ entities: z.array(provenanceKitEntitySchema), count: z.int() }),
          ...errorsOf('InvalidField'),
        }),
      },
    },
    async (request, reply) => {
      const { role, ...page } = request.query;
      const filters = { role: role === undefined ? undefined : toRole(role) };
      const caller = { projectId: projectOf(request), signal: signalOfCaller(reply) };
      return sendPieces(reply, await listEntities(records, caller, { ...page, filters }));
    },
  );
}

/** Size of a list, in characters of JSON, at which this route stops reading pages. */
const MAX_LIST_LENGTH = 4 * 2 ** 20;

/**
 * A page of large entities can end early, and this route has no cursor. So it reads pages up to `limit` entities or
 * `MAX_LIST_LENGTH` characters. Callers read the rest with `offset`.
 */
function listEntities(
  records: AppDeps['records'],
  { projectId, signal }: { projectId: string; signal: AbortSignal },
  page: Page,
): Promise<Buffer[]> {
  return records.scheduler.run({ projectId, kind: 'history', signal }, async (running) => {
    const found = await readPages(records, { projectId, signal: running }, page);
    const entities = await mapYielding(found, toProvenanceKitEntity, running);
    return writeJson({ entities, count: entities.length }, { form: 'plain', signal: running });
  });
}

async function readPages(
  records: AppDeps['records'],
  { projectId, signal }: { projectId: string; signal: AbortSignal },
  page: Page,
): Promise<Entity[]> {
  const entities: Entity[] = [];
  let rest: Page | undefined = page;
  let length = 0;
  while (rest !== undefined && length < MAX_LIST_LENGTH) {
    const part = await listEntitiesInTurn(records, projectId, { page: rest, signal });
    length += part.length;
    entities.push(...part.entities);
    const limit = page.limit - entities.length;
    rest =
      part.nextCursor === null || limit === 0
        ? undefined
        : { filters: page.filters, limit, cursor: part.nextCursor };
  }
  return entities;
}

async function requireEntity(
  { records }: Pick<AppDeps, 'records'>,
  projectId: string,
  id: string,
): Promise<Entity> {
  const { text } = await readEntity(records.reads, projectId, id);
  if (text === undefined) throw absent('entity', id);
  return JSON.parse(text) as Entity;
}

function agentOf({ extensions = {} }: Entity): Record<string, unknown> | undefined {
  return objectOf(objectOf(extensions[AI_EXTENSION])?.agent);
}
