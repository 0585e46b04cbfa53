import {
  COSE_TYPE,
  entityIdSchema,
  type Receipt,
  type RecordKind,
  receiptSchema,
  TLOG_PROOF_TYPE,
  timestampSchema,
  toTlogProof,
} from '@colophon/model';
import { z } from 'zod';
import { readTimestamp } from '../../anchors/timestamps/read-timestamp.js';
import { ServiceError } from '../../errors.js';
import type { JsonText } from '../../platform/json-text.js';
import { absent } from '../../records/read/absent.js';
import { writeStatement } from '../../records/read/write-statement.js';
import { requireSigner } from '../../transparency-log/checkpoint.js';
import { readReceipt } from '../../transparency-log/prove.js';
import type { App, AppDeps, RecordReadDeps } from '../app.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf, readyMade } from '../wire/error-schemas.js';
import { preferenceFor } from '../wire/negotiate.js';
import { projectOf } from '../wire/principal-of.js';
import { sendAnswer } from '../wire/send-answer.js';

const KINDS = {
  action: { id: z.uuid(), name: 'Action' },
  entity: { id: entityIdSchema, name: 'Entity' },
  attribution: { id: z.uuid(), name: 'Attribution' },
} as const;

/**
 * Receipt: a record with the proof that the log contains it. Timestamp: the proof that the log contained the record at
 * a stated time.
 */
export function receiptRoutes(app: App, deps: RecordReadDeps): void {
  for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
    getReceipt(app, deps, kind);
    getTimestamp(app, deps, kind);
  }
}

function getTimestamp(
  app: App,
  { transparencyLog }: Pick<AppDeps, 'transparencyLog'>,
  kind: RecordKind,
): void {
  const { id: idSchema, name } = KINDS[kind];
  app.get(
    `/v1/${kind}/:id/timestamp`,
    {
      schema: {
        operationId: `get${name}Timestamp`,
        tags: ['log'],
        summary: `The RFC 3161 time-stamp of the ${kind}, which can be verified without this service`,
        params: z.object({ id: idSchema }),
        response: { 200: timestampSchema, ...errorsOf('InvalidField', 'NotFound') },
      },
    },
    async (request, reply) => {
      const { id } = request.params as { id: string };
      requireSigner(transparencyLog);
      const read = await readTimestamp(transparencyLog, projectOf(request), {
        ...{ kind, id },
        signal: signalOfCaller(reply),
      });
      if ('timestamp' in read) return read.timestamp;
      if (read.reason === 'absent') throw absent(kind, id);
      throw new ServiceError('NotFound', `No time-stamp covers the ${kind} ${id} yet.`, {
        recovery:
          'Send the request again later. The operator sets TSA_URL and TSA_INTERVAL, the time between two time-stamps.',
      });
    },
  );
}

const JSON_TYPE = 'application/json';
const FORMATS = [JSON_TYPE, TLOG_PROOF_TYPE, COSE_TYPE] as const;
type Format = (typeof FORMATS)[number];

const RECEIPT_ANSWER = {
  description: 'The receipt, in the format that Accept prefers',
  content: {
    [JSON_TYPE]: { schema: receiptSchema },
    [TLOG_PROOF_TYPE]: {
      schema: z.string().meta({
        description: 'C2SP tlog-proof: index, inclusion proof and checkpoint, without the record',
      }),
    },
    [COSE_TYPE]: {
      schema: z.string().meta({
        contentMediaType: COSE_TYPE,
        format: 'binary',
        description: 'COSE_Sign1 over the committed record, with a COSE Receipt (RFC 9942) in its header',
      }),
    },
  },
};

function getReceipt(
  app: App,
  { transparencyLog, records }: Pick<AppDeps, 'transparencyLog' | 'records'>,
  kind: RecordKind,
): void {
  const { id: idSchema, name } = KINDS[kind];
  app.get(
    `/v1/${kind}/:id/receipt`,
    {
      config: { alsoSends: [TLOG_PROOF_TYPE, COSE_TYPE] },
      schema: {
        operationId: `get${name}Receipt`,
        tags: ['log'],
        summary: `The ${kind} with a proof that the log contains it, which can be verified without this service`,
        params: z.object({ id: idSchema }),
        response: readyMade({ 200: RECEIPT_ANSWER, ...errorsOf('InvalidField', 'NotFound') }),
      },
    },
    async (request, reply) => {
      const { id } = request.params as { id: string };
      const projectId = projectOf(request);
      const format = chooseFormat(request.headers.accept);
      reply.header('vary', 'accept');
      const signal = signalOfCaller(reply);
      const write = async (form: Format, receipt: Receipt): Promise<JsonText> =>
        form === COSE_TYPE
          ? [await writeStatement(transparencyLog, projectId, { receipt, signal })]
          : WRITE[form](receipt);
      // A cached COSE response avoids two new signatures.
      const answer = await records.answers.answer(projectId, `receipt ${format} ${kind} ${id}`, async () => {
        const read = await readReceipt(transparencyLog, projectId, { kind, id, signal });
        const text = read && (await write(format, read.receipt));
        return { text, revision: read?.revision };
      });
      const type = format === COSE_TYPE ? format : `${format}; charset=utf-8`;
      return sendAnswer(reply, answer, () => absent(kind, id), type);
    },
  );
}

function chooseFormat(accept: string | undefined): Format {
  const [best = JSON_TYPE] = [...FORMATS].sort((a, b) => preferenceFor(accept, b) - preferenceFor(accept, a));
  return best;
}

const WRITE: Record<Exclude<Format, typeof COSE_TYPE>, (receipt: Receipt) => string> = {
  [JSON_TYPE]: (receipt) => JSON.stringify(receipt),
  [TLOG_PROOF_TYPE]: (receipt) => toTlogProof(receipt),
};
