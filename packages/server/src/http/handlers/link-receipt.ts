import type { RecordKind } from '@colophon/model';
import type { FastifyReply } from 'fastify';

/** Says in the answer to a write where the record's receipt is (RFC 8288). */
export function linkReceipt(reply: FastifyReply, kind: RecordKind, id: string): FastifyReply {
  return reply.header('link', `</v1/${kind}/${encodeURIComponent(id)}/receipt>; rel="receipt"`);
}
