import type { RecordKind } from '@colophon/model';
import type { FastifyReply } from 'fastify';

/** Adds a link to the record's receipt to the answer of a write (RFC 8288). */
export function linkReceipt(reply: FastifyReply, kind: RecordKind, id: string): FastifyReply {
  return reply.header('link', `</v1/${kind}/${encodeURIComponent(id)}/receipt>; rel="receipt"`);
}
