import { entityIdSchema, type RecordKind, receiptSchema } from '@colophon/model';
import { z } from 'zod';
import { absent } from '../../records/read/absent.js';
import { readReceipt } from '../../transparency-log/prove.js';
import type { App, AppDeps } from '../app.js';
import { errorsOf, readyMade } from '../wire/error-schemas.js';
import { projectOf } from '../wire/principal-of.js';
import { sendAnswer } from '../wire/send-answer.js';

/** The ids of each kind, and the name of its operation. */
const KINDS = {
  action: { id: z.uuid(), operationId: 'getActionReceipt' },
  entity: { id: entityIdSchema, operationId: 'getEntityReceipt' },
  attribution: { id: z.uuid(), operationId: 'getAttributionReceipt' },
} as const;

/** `/v1/<kind>/:id/receipt`: records with the proof that the log holds them. */
export function receiptRoutes(app: App, deps: AppDeps): void {
  for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) getReceipt(app, deps, kind);
}

function getReceipt(
  app: App,
  { transparencyLog, records }: Pick<AppDeps, 'transparencyLog' | 'records'>,
  kind: RecordKind,
): void {
  const { id: idSchema, operationId } = KINDS[kind];
  app.get(
    `/v1/${kind}/:id/receipt`,
    {
      schema: {
        operationId,
        tags: ['log'],
        summary: `The ${kind} with the proof that the log holds it, to be verified without this service`,
        params: z.object({ id: idSchema }),
        response: readyMade({ 200: receiptSchema, ...errorsOf('InvalidField', 'NotFound') }),
      },
    },
    async (request, reply) => {
      const { id } = request.params as { id: string };
      const projectId = projectOf(request);
      const answer = await records.answers.answer(projectId, `receipt ${kind} ${id}`, async () => {
        const read = await readReceipt(transparencyLog, projectId, { kind, id });
        return { text: read && JSON.stringify(read.receipt), revision: read?.revision };
      });
      return sendAnswer(reply, answer, () => absent(kind, id));
    },
  );
}
