import { networkSchema, userInputSchema, userSchema } from '@colophon/model';
import { readOwnAccount, updateOwnAccount } from '../../../management/own-account.js';
import type { App, ControlRouteDeps } from '../../app.js';
import { errorsOf } from '../../wire/error-schemas.js';
import { actorOf, changeOptions } from './terms.js';

export function accountRoutes(app: App, deps: ControlRouteDeps): void {
  const { management } = deps;
  app.get(
    '/management/users/me',
    {
      schema: {
        operationId: 'getOwnUser',
        summary: 'Get the user named in X-User-Id; an unknown user is created',
        response: { 200: userSchema, ...errorsOf('MissingField') },
      },
    },
    (request) => readOwnAccount(management.deps, actorOf(request)),
  );
  app.put(
    '/management/users/me',
    {
      schema: {
        operationId: 'updateOwnUser',
        summary: 'Change the profile of the user',
        body: userInputSchema,
        response: {
          200: userSchema.describe('The user already existed'),
          201: userSchema.describe('The user is new'),
          ...errorsOf('MissingField', 'ValidationError', 'Unsupported', 'PayloadTooLarge'),
        },
      },
    },
    async (request, reply) => {
      const user = await updateOwnAccount(changeOptions(deps, request), request.body);
      return reply.code(actorOf(request).isNew ? 201 : 200).send(user);
    },
  );
  app.get(
    '/management/network',
    {
      schema: {
        operationId: 'getNetwork',
        summary: 'Get the chain on which records are anchored',
        response: { 200: networkSchema, ...errorsOf('MissingField') },
      },
    },
    async () => management.network,
  );
}
