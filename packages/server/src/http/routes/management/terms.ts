import { userIdField } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ChangeOptions } from '../../../management/change.js';
import type { Actor } from '../../../management/deps.js';
import type { ControlRouteDeps } from '../../app.js';
import { withIdempotencyKey } from '../../handlers/idempotency.js';
import { errorsOf } from '../../wire/error-schemas.js';

/** The user for whom the owner of the management secret acts. */
export const userHeader = z.looseObject({ 'x-user-id': userIdField });

export const CHANGE_ERRORS = errorsOf(
  'MissingField',
  'ValidationError',
  'NotFound',
  'Conflict',
  'Unsupported',
  'PayloadTooLarge',
);

/** Errors of a change that cannot cause a conflict. */
export const MAKE_ERRORS = errorsOf(
  'MissingField',
  'ValidationError',
  'NotFound',
  'Unsupported',
  'PayloadTooLarge',
);

export const PATH_ERRORS = errorsOf('MissingField', 'NotFound');

export function actorOf(request: FastifyRequest): Actor {
  if (request.actor === undefined) throw new Error('A /management route ran before authentication');
  return request.actor;
}

export function changeOptions(deps: ControlRouteDeps, request: FastifyRequest): ChangeOptions {
  return { deps: deps.management.deps, actor: actorOf(request) };
}

export function sendSecret<Answer extends object>(reply: FastifyReply, answer: Answer): FastifyReply {
  return reply.code(201).header('cache-control', 'no-store').send(answer);
}

/** A repetition with the same Idempotency-Key gets the same response. */
export function keyedChange<Answer>(
  deps: ControlRouteDeps,
  request: FastifyRequest,
  run: (options: ChangeOptions) => Promise<Answer>,
): Promise<Answer> {
  const asked = { params: request.params, body: request.body };
  return withIdempotencyKey({ deps, request, asked }, (keyed) =>
    run({ ...changeOptions(deps, request), keyed }),
  );
}
