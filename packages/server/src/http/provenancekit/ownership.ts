import {
  contentIdSchema,
  type Ownership,
  type OwnershipEvent,
  ownershipClaimInputSchema,
  ownershipTransferInputSchema,
} from '@colophon/model';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import { mapYielding } from '../../platform/work/map-yielding.js';
import { claimOwnership } from '../../records/ownership/claim-ownership.js';
import { transferOwnership } from '../../records/ownership/transfer-ownership.js';
import { writeOwnershipInTurn } from '../../records/ownership/write-ownership.js';
import type { App, AppDeps } from '../app.js';
import { idempotently } from '../handlers/idempotency.js';
import { contentOfPath, withContentOfPath } from '../handlers/ownership-path.js';
import { noteRecorded } from '../middleware/meter-usage.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf, JSON_WRITE_ERRORS } from '../wire/error-schemas.js';
import { principalOf, projectOf } from '../wire/principal-of.js';
import { sendPieces } from '../wire/send-answer.js';
import {
  provenanceKitActionSchema,
  provenanceKitAttributionSchema,
  provenanceKitEntitySchema,
  toProvenanceKitAction,
  toProvenanceKitAttribution,
  toProvenanceKitEntity,
} from './record-schemas.js';
import { provenanceKitWho, toWho } from './request-schemas.js';

const params = z.object({ cid: contentIdSchema });
const eventSchema = z
  .object({ action: provenanceKitActionSchema, attribution: provenanceKitAttributionSchema })
  .meta({ id: 'PublishedOwnershipEvent' });
const ownershipSchema = z
  .object({
    resourceRef: z.string(),
    registrant: provenanceKitEntitySchema.nullable(),
    currentOwner: provenanceKitEntitySchema.nullable(),
    neverTransferred: z.boolean(),
    lastTransfer: provenanceKitActionSchema.nullable(),
    history: z.array(provenanceKitActionSchema),
    complete: z.boolean(),
  })
  .meta({ id: 'PublishedOwnership' });

export function ownershipRoutes(app: App, deps: Pick<AppDeps, 'records' | 'running'>): void {
  getOne(app, deps);
  claim(app, deps);
  transfer(app, deps);
}

function getOne(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/resource/:cid/ownership',
    {
      schema: {
        operationId: 'compatGetOwnership',
        summary: 'Get the owner of a content, and the claims and transfers of its ownership',
        params,
        response: { 200: ownershipSchema, ...errorsOf('InvalidField', 'NotFound') },
      },
    },
    async (request, reply) => {
      const { cid } = request.params;
      const asked = { projectId: projectOf(request), cid, signal: signalOfCaller(reply) };
      const written = await writeOwnershipInTurn(records, { ...asked, toShown: toProvenanceKitOwnership });
      if (written === undefined) throw new ServiceError('NotFound', `Resource not found: ${cid}`);
      return sendPieces(reply, written);
    },
  );
}

const claimSchema = ownershipClaimInputSchema
  .omit({ entityId: true })
  .extend({ entity: provenanceKitWho })
  .meta({ id: 'PublishedClaimRequest' });

function claim(app: App, deps: Pick<AppDeps, 'records' | 'running'>): void {
  app.post(
    '/resource/:cid/ownership/claim',
    {
      config: { permission: 'write' },
      schema: {
        operationId: 'compatClaimOwnership',
        summary: 'Record a claim to own a content; the owner does not change',
        params,
        body: claimSchema,
        response: { 201: eventSchema, ...JSON_WRITE_ERRORS },
      },
    },
    (request, reply) =>
      idempotently(
        { deps, request, asked: withContentOfPath(request, request.body), signal: signalOfCaller(reply) },
        async (keyed) => {
          const { entity, ...said } = request.body;
          const claim = { who: toWho(entity), ...contentOfPath(request), ...said };
          const { isNew, ...event } = await claimOwnership(keyed, projectOf(request), claim);
          if (isNew) noteRecorded(request, { bytesStored: 0, actionsRecorded: 1 });
          return reply.code(201).send(toProvenanceKitEvent(event));
        },
      ),
  );
}

const transferSchema = ownershipTransferInputSchema
  .omit({ performedBy: true })
  .extend({ performedBy: provenanceKitWho })
  .meta({ id: 'PublishedTransferRequest' });

function transfer(app: App, deps: Pick<AppDeps, 'records' | 'running'>): void {
  app.post(
    '/resource/:cid/ownership/transfer',
    {
      config: { permission: 'write' },
      schema: {
        operationId: 'compatTransferOwnership',
        summary:
          'Transfer a content to another entity; requires the signature or bound key of the present owner, or an admin key',
        params,
        body: transferSchema,
        response: { 200: eventSchema, ...JSON_WRITE_ERRORS },
      },
    },
    (request, reply) =>
      idempotently(
        { deps, request, asked: withContentOfPath(request, request.body), signal: signalOfCaller(reply) },
        async (keyed) => {
          const { performedBy, ...said } = request.body;
          const { permission } = principalOf(request);
          const transfer = { who: toWho(performedBy), ...contentOfPath(request), ...said, permission };
          const { isNew, ...event } = await transferOwnership(keyed, projectOf(request), transfer);
          if (isNew) noteRecorded(request, { bytesStored: 0, actionsRecorded: 1 });
          return reply.send(toProvenanceKitEvent(event));
        },
      ),
  );
}

function toProvenanceKitEvent({ action, attribution }: OwnershipEvent) {
  return { action: toProvenanceKitAction(action), attribution: toProvenanceKitAttribution(attribution) };
}

async function toProvenanceKitOwnership({
  cid,
  registrant,
  currentOwner,
  lastTransfer,
  history,
  ...rest
}: Ownership) {
  return {
    resourceRef: cid,
    registrant: registrant === null ? null : toProvenanceKitEntity(registrant),
    currentOwner: currentOwner === null ? null : toProvenanceKitEntity(currentOwner),
    lastTransfer: lastTransfer === null ? null : toProvenanceKitAction(lastTransfer),
    history: await mapYielding(history, (action) => toProvenanceKitAction(action)),
    ...rest,
  };
}
