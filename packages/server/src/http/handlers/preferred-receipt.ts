import type { Receipt, RecordKind } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';
import { readReceipt } from '../../transparency-log/prove.js';
import type { AppDeps } from '../app.js';
import { notePreference, readPreferences } from '../wire/preferences.js';
import { projectOf } from '../wire/principal-of.js';

/**
 * Returns the receipt of a new record if the request prefers `return=representation` (RFC 7240 §4.2) and the receipt is
 * available. The record is durable in any case.
 */
export async function preferredReceipt(
  { transparencyLog }: Pick<AppDeps, 'transparencyLog'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  recorded: { kind: RecordKind; id: string },
): Promise<{ receipt?: Receipt }> {
  if (readPreferences(request.headers.prefer).receipt === undefined || transparencyLog.signer === undefined)
    return {};
  const read = await readReceipt(transparencyLog, projectOf(request), recorded).catch((error: unknown) => {
    // The record is stored, so an error would make the caller record it again.
    if (error instanceof ServiceError && error.code === 'Unavailable') return undefined;
    throw error;
  });
  if (read === undefined) return {};
  notePreference(reply, 'return=representation');
  return { receipt: read.receipt };
}

/** Adds a header `Link` with the path of the receipt (RFC 8288). */
export function linkReceipt(reply: FastifyReply, kind: RecordKind, id: string): FastifyReply {
  return reply.header('link', `</v1/${kind}/${encodeURIComponent(id)}/receipt>; rel="receipt"`);
}
