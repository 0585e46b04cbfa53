import { type EmbedInput, INGREDIENT_PART } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { parseBody } from '../../body-fault.js';
import { ServiceError } from '../../errors.js';
import type { StagedMedia } from '../../records/draft/stage-media.js';
import type { AppDeps } from '../app.js';
import { noteRecorded } from '../middleware/meter-usage.js';
import type { Upload } from '../wire/read-upload.js';
import { linkReceipt } from './preferred-receipt.js';
import { readMedia } from './read-media.js';
import { waitForAnchor } from './wait-for-anchor.js';

/** Throws 422 for an empty file, because all empty files are the same content. */
export async function readClaimedMedia<Input extends EmbedInput>(
  request: FastifyRequest,
  deps: Pick<AppDeps, 'records' | 'credentials'>,
  schema: z.ZodType<Input>,
): Promise<Upload<Input, StagedMedia>> {
  const upload = await readMedia(request, deps, {
    parse: (json) => parseBody(schema, json),
    otherParts: { names: INGREDIENT_PART, shownAs: 'ingredient-<name>' },
  });
  if (upload.file.digests.sizeBytes > 0) return upload;
  await upload.discard();
  throw new ServiceError('ValidationError', 'The file has 0 bytes, and a mark needs at least 1 byte.', {
    recovery: 'Send the file again with its content.',
    details: [{ path: 'file', message: 'empty' }],
  });
}

export function answerRecordedMedia(
  deps: Pick<AppDeps, 'records' | 'anchoring'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { actionId, size, isNew, replayed }: { actionId: string; size: number; isNew: boolean; replayed: boolean },
) {
  if (isNew) noteRecorded(request, { resourceType: 'media', bytesStored: size, actionsRecorded: 1 });
  linkReceipt(reply, 'action', actionId).code(replayed ? 200 : 201);
  return waitForAnchor(deps, { request, reply }, actionId);
}
