import { userIdField } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ChangeOptions } from '../../../management/change.js';
import type { Actor } from '../../../management/deps.js';
import type { AppDeps } from '../../app.js';
import { withIdempotencyKey } from '../../handlers/idempotency.js';
import { errorsOf } from '../../wire/error-schemas.js';

/** The user in whose name the holder of the management secret asks. */
export const userHeader = z.looseObject({ 'x-user-id': userIdField });

/** The error answers of a change that takes a JSON body. */
export const CHANGE_ERRORS = errorsOf(
  'MissingField',
  'ValidationError',
  'NotFound',
  'Conflict',
  'Unsupported',
  'PayloadTooLarge',
);

/** The same where nothing that is there can be in the way. */
export const MAKE_ERRORS = errorsOf(
  'MissingField',
  'ValidationError',
  'NotFound',
  'Unsupported',
  'PayloadTooLarge',
);

/** The error answers of whatever names a thing in its path. */
export const PATH_ERRORS = errorsOf('MissingField', 'NotFound');

/** The user of an authenticated request. */
export function actorOf(request: FastifyRequest): Actor {
  if (request.actor === undefined) throw new Error('A /management route ran before authentication');
  return request.actor;
}

/** How the request asks for its change. */
export function changeOptions(deps: AppDeps, request: FastifyRequest): ChangeOptions {
  return { deps: deps.management.deps, actor: actorOf(request) };
}

/** Answers with a secret, which nobody on the way keeps. */
export function sendSecret<Answer extends object>(reply: FastifyReply, answer: Answer): FastifyReply {
  return reply.code(201).header('cache-control', 'no-store').send(answer);
}

/** Runs a POST whose answer a repetition with the same Idempotency-Key gets again. */
export function keyedChange<Answer>(
  deps: AppDeps,
  request: FastifyRequest,
  run: (options: ChangeOptions) => Promise<Answer>,
): Promise<Answer> {
  const asked = { params: request.params, body: request.body };
  return withIdempotencyKey({ deps, request, asked }, (keyed) =>
    run({ ...changeOptions(deps, request), keyed }),
  );
}
