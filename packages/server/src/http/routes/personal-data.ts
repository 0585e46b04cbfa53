import { entityIdSchema } from '@colophon/model';
import { z } from 'zod';
import { callerIdOf } from '../../control/principal.js';
import { createErase } from '../../records/write/share-erasures.js';
import type { App, AppDeps } from '../app.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf } from '../wire/error-schemas.js';
import { principalOf, projectOf } from '../wire/principal-of.js';

const answerSchema = z
  .object({
    entityId: z.string(),
    erasedAt: z
      .string()
      .meta({ description: 'Time of the first call that erased personal data of the entity' }),
    erased: z.object({ entities: z.int(), actions: z.int(), attributions: z.int() }).meta({
      description: 'Numbers of records that lost data in the erasure that this call began or joined',
    }),
  })
  .meta({ id: 'ErasureAnswer' });

export function personalDataRoutes(app: App, { records }: Pick<AppDeps, 'records'>): void {
  const { provenance, scheduler } = records;
  const reportFailure = (err: unknown) =>
    app.log.error({ err }, 'could not extend or delete the lease of an erasure');
  const erase = createErase({ provenance, scheduler, reportFailure });
  app.delete(
    '/v1/entity/:id/personal-data',
    {
      config: { permission: 'admin' },
      schema: {
        operationId: 'erasePersonalData',
        tags: ['records'],
        summary:
          'Erase name, wallet and metadata of an entity, the prompts of its actions and the notes of its attributions',
        params: z.object({ id: entityIdSchema }),
        response: { 200: answerSchema, ...errorsOf('InvalidField', 'NotFound', 'Conflict') },
      },
    },
    async (request, reply) => {
      const signal = signalOfCaller(reply);
      const subject = { projectId: projectOf(request), entityId: request.params.id, signal };
      const answer = await erase(subject);
      const principal = principalOf(request);
      const caller = { project: principal.projectId, key: callerIdOf(principal) };
      request.log.info({ ...caller, ...answer }, 'personal data was erased');
      return answer;
    },
  );
}
