import {
  contentIdSchema,
  type OwnershipEvent,
  ownershipClaimInputSchema,
  ownershipEventSchema,
  ownershipSchema,
  ownershipTransferInputSchema,
} from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { claimOwnership } from '../../records/ownership/claim-ownership.js';
import { transferOwnership } from '../../records/ownership/transfer-ownership.js';
import { writeOwnershipInTurn } from '../../records/ownership/write-ownership.js';
import { absent } from '../../records/read/absent.js';
import type { App, AppDeps, RecordReadDeps } from '../app.js';
import { idempotently } from '../handlers/idempotency.js';
import { contentOfPath, withContentOfPath } from '../handlers/ownership-path.js';
import { linkReceipt, preferredReceipt } from '../handlers/preferred-receipt.js';
import { noteRecorded } from '../middleware/meter-usage.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf, JSON_WRITE_ERRORS } from '../wire/error-schemas.js';
import { postHeader } from '../wire/preferences.js';
import { principalOf, projectOf } from '../wire/principal-of.js';
import { sendPieces } from '../wire/send-answer.js';

const params = z.object({ cid: contentIdSchema });
export function ownershipRoutes(app: App, deps: RecordReadDeps & Pick<AppDeps, 'running'>): void {
  getOne(app, deps);
  claim(app, deps);
  transfer(app, deps);
}

function getOne(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/v1/resource/:cid/ownership',
    {
      schema: {
        operationId: 'getOwnership',
        tags: ['records'],
        summary: 'Get the owner of a content, and the claims and transfers of its ownership',
        params,
        response: { 200: ownershipSchema, ...errorsOf('InvalidField', 'NotFound') },
      },
    },
    async (request, reply) => {
      const { cid } = request.params;
      const asked = { projectId: projectOf(request), cid, signal: signalOfCaller(reply) };
      const written = await writeOwnershipInTurn(records, asked);
      if (written === undefined) throw absent('content', cid, `There is no resource ${cid} in this project.`);
      return sendPieces(reply, written);
    },
  );
}

function claim(app: App, deps: RecordReadDeps & Pick<AppDeps, 'running'>): void {
  app.post(
    '/v1/resource/:cid/ownership/claim',
    {
      config: { permission: 'write' },
      schema: {
        operationId: 'claimOwnership',
        tags: ['records'],
        summary: 'Record a claim to own a content; the owner does not change',
        params,
        headers: postHeader,
        body: ownershipClaimInputSchema,
        response: { 201: ownershipEventSchema, ...JSON_WRITE_ERRORS },
      },
    },
    (request, reply) => {
      const { entityId: who, ...said } = request.body;
      return idempotently(
        { deps, request, asked: withContentOfPath(request, request.body), signal: signalOfCaller(reply) },
        async (keyed) => {
          const claim = { who, ...contentOfPath(request), ...said };
          const { isNew, ...event } = await claimOwnership(keyed, projectOf(request), claim);
          if (isNew) noteRecorded(request, { bytesStored: 0, actionsRecorded: 1 });
          return sendEvent(deps, { request, reply }, event);
        },
      );
    },
  );
}

function transfer(app: App, deps: RecordReadDeps & Pick<AppDeps, 'running'>): void {
  app.post(
    '/v1/resource/:cid/ownership/transfer',
    {
      config: { permission: 'write' },
      schema: {
        operationId: 'transferOwnership',
        tags: ['records'],
        summary:
          'Transfer a content to another entity; requires the signature or bound key of the present owner, or an admin key',
        params,
        headers: postHeader,
        body: ownershipTransferInputSchema,
        response: { 201: ownershipEventSchema, ...JSON_WRITE_ERRORS },
      },
    },
    (request, reply) => {
      const { performedBy: who, ...said } = request.body;
      return idempotently(
        { deps, request, asked: withContentOfPath(request, request.body), signal: signalOfCaller(reply) },
        async (keyed) => {
          const transfer = {
            who,
            ...contentOfPath(request),
            ...said,
            permission: principalOf(request).permission,
          };
          const { isNew, ...event } = await transferOwnership(keyed, projectOf(request), transfer);
          if (isNew) noteRecorded(request, { bytesStored: 0, actionsRecorded: 1 });
          return sendEvent(deps, { request, reply }, event);
        },
      );
    },
  );
}

async function sendEvent(
  deps: RecordReadDeps,
  exchange: { request: FastifyRequest; reply: FastifyReply },
  event: OwnershipEvent,
): Promise<FastifyReply> {
  const { id } = event.action;
  const receipt = await preferredReceipt(deps, exchange, { kind: 'action', id });
  return linkReceipt(exchange.reply, 'action', id)
    .code(201)
    .send({ ...event, ...receipt });
}
