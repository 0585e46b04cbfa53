import { type Mark, type MarkInput, markInputSchema } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestOf } from '../../records/credentials/embedding.js';
import { markContent } from '../../records/credentials/mark-content.js';
import type { StagedMedia } from '../../records/draft/stage-media.js';
import type { AppDeps, RecordWriteDeps } from '../app.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { projectOf } from '../wire/principal-of.js';
import type { Upload } from '../wire/read-upload.js';
import { idempotently } from './idempotency.js';
import { preferredReceipt } from './preferred-receipt.js';
import { answerRecordedMedia, readClaimedMedia } from './record-media.js';

interface MarkExchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

export async function markUpload(
  deps: RecordWriteDeps & Pick<AppDeps, 'credentials'>,
  exchange: MarkExchange,
): Promise<Mark> {
  const upload = await readClaimedMedia(exchange.request, deps, markInputSchema);
  try {
    return await markStaged(deps, exchange, upload);
  } finally {
    await upload.discard();
  }
}

function markStaged(
  deps: RecordWriteDeps & Pick<AppDeps, 'credentials'>,
  { request, reply }: MarkExchange,
  { file: media, others: parts, input }: Upload<MarkInput, StagedMedia>,
): Promise<Mark> {
  const asked = requestOf({ input, media, parts });
  return idempotently({ deps, request, asked }, async (records) => {
    const embedding = { input, media, parts, signal: signalOfCaller(reply) };
    const marked = await markContent({ ...deps, records }, projectOf(request), embedding);
    const waited = await answerRecordedMedia(deps, { request, reply }, marked);
    const { isNew: _new, replayed: _replayed, ...answer } = marked;
    const recorded = { kind: 'action', id: answer.actionId } as const;
    return { ...answer, ...waited, ...(await preferredReceipt(deps, { request, reply }, recorded)) };
  });
}
