import {
  type Action,
  actionInputSchema,
  actionSchema,
  actionTypeSchema,
  entityIdSchema,
  onchainSchema,
  receiptSchema,
  sessionIdSchema,
} from '@colophon/model';
import { z } from 'zod';
import { readOnchainProof } from '../../anchors/prove-anchor.js';
import { absent } from '../../records/read/absent.js';
import { answerList } from '../../records/read/list-records.js';
import { readAction } from '../../records/read/records.sql.js';
import { recordAction } from '../../records/write/record-action.js';
import type { App, AppDeps, RecordWriteDeps } from '../app.js';
import { idempotently } from '../handlers/idempotency.js';
import { linkReceipt, preferredReceipt } from '../handlers/preferred-receipt.js';
import { waitForAnchor } from '../handlers/wait-for-anchor.js';
import { noteRecorded } from '../middleware/meter-usage.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf, JSON_WRITE_ERRORS, readyMade } from '../wire/error-schemas.js';
import { sentNames } from '../wire/json-body.js';
import { instantQuery, listAnswer, listQuery } from '../wire/list-query.js';
import { postOrWaitHeader } from '../wire/preferences.js';
import { projectOf } from '../wire/principal-of.js';
import { sendAnswer } from '../wire/send-answer.js';

const answerSchema = z
  .object({
    actionId: z.string(),
    action: actionSchema,
    onchain: onchainSchema.optional(),
    receipt: receiptSchema.optional(),
  })
  .meta({ id: 'ActionAnswer' });

export function actionRoutes(app: App, deps: RecordWriteDeps): void {
  recordOne(app, deps);
  getOne(app, deps);
  list(app, deps);
}

function recordOne(app: App, deps: RecordWriteDeps): void {
  app.post(
    '/v1/action',
    {
      config: { permission: 'write' },
      schema: {
        operationId: 'recordAction',
        tags: ['records'],
        summary: 'Record an action on content that is not uploaded with it',
        headers: postOrWaitHeader,
        body: actionInputSchema,
        response: {
          201: answerSchema.describe('Recorded'),
          200: answerSchema.describe('The same request had already recorded this action'),
          ...JSON_WRITE_ERRORS,
        },
      },
    },
    (request, reply) =>
      idempotently({ deps, request, asked: request.body, signal: signalOfCaller(reply) }, async (keyed) => {
        const projectId = projectOf(request);
        const asSent = {
          inputs: sentNames(request.sent, 'inputCids'),
          outputs: sentNames(request.sent, 'outputCids'),
        };
        const recording = { input: request.body, asSent };
        const { action, replayed, isNew } = await recordAction(keyed, projectId, recording);
        if (isNew) noteRecorded(request, { bytesStored: 0, actionsRecorded: 1 });
        linkReceipt(reply, 'action', action.id);
        const { onchain = action.onchain } = await waitForAnchor(deps, { request, reply }, action.id);
        const shown = onchain === undefined ? {} : { onchain };
        const receipt = await preferredReceipt(deps, { request, reply }, { kind: 'action', id: action.id });
        const answer = { actionId: action.id, action: { ...action, ...shown }, ...shown, ...receipt };
        return reply.code(replayed ? 200 : 201).send(answer);
      }),
  );
}

function getOne(app: App, { records, transparencyLog }: Pick<AppDeps, 'records' | 'transparencyLog'>): void {
  app.get(
    '/v1/action/:id',
    {
      schema: {
        operationId: 'getAction',
        tags: ['records'],
        summary: 'Get an action',
        params: z.object({ id: z.uuid().meta({ description: 'Action id' }) }),
        response: readyMade({ 200: actionSchema, ...errorsOf('InvalidField', 'NotFound') }),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const projectId = projectOf(request);
      const answer = await records.answers.answer(projectId, `action ${id}`, async () => {
        const { text, revision } = await readAction(records.reads, projectId, id);
        if (!text?.includes('"onchain"')) return { text, revision };
        const shown = { text, signal: signalOfCaller(reply) };
        return { text: await withProof(transparencyLog, projectId, shown), revision };
      });
      return sendAnswer(reply, answer, () => absent('action', id));
    },
  );
}

/** Adds the proof that the root on the chain covers the digest of the action, if a block contains the transaction. */
async function withProof(
  transparencyLog: AppDeps['transparencyLog'],
  projectId: string,
  { text, signal }: { text: string; signal: AbortSignal },
): Promise<string> {
  const action = JSON.parse(text) as Action;
  if (action.onchain?.blockNumber === undefined) return text;
  const proof = await readOnchainProof(transparencyLog, projectId, { actionId: action.id, signal });
  return JSON.stringify({ ...action, onchain: { ...action.onchain, ...(proof && { proof }) } });
}

function list(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/v1/actions',
    {
      schema: {
        operationId: 'listActions',
        tags: ['records'],
        summary: 'List actions, newest first',
        querystring: listQuery({
          type: actionTypeSchema.optional(),
          sessionId: sessionIdSchema.optional(),
          performedBy: entityIdSchema.optional(),
          since: instantQuery.optional().meta({ description: 'Recorded at this instant or later' }),
          until: instantQuery.optional().meta({ description: 'Recorded before this instant' }),
        }),
        response: readyMade({ 200: listAnswer('actions', actionSchema), ...errorsOf('InvalidField') }),
      },
    },
    async (request, reply) => {
      const { type, sessionId, performedBy, since, until, ...page } = request.query;
      const options = {
        name: 'actions',
        page: { ...page, filters: { type, sessionId, performedBy, since, until } },
        signal: signalOfCaller(reply),
      } as const;
      return sendAnswer(reply, await answerList(records, projectOf(request), options));
    },
  );
}
