import type { FastifyReply } from 'fastify';
import { z } from 'zod';

/** Optional wishes of a caller about the answer (RFC 7240). */
export interface Preferences {
  /** How long the answer may take. */
  waitSeconds?: number;
  /** The answer to a recording shall carry its receipt. */
  receipt?: true;
}

/** The header of requests that record. */
export const preferHeader = z.looseObject({
  prefer: z
    .string()
    .optional()
    .meta({ description: 'RFC 7240: return=representation brings the receipt along' }),
});

/** The same where what is recorded may be anchored on a chain. */
export const preferOrWaitHeader = z.looseObject({
  prefer: z.string().optional().meta({
    description: 'RFC 7240: return=representation brings the receipt along; wait=N waits N s for an anchor',
  }),
});

const idempotencyKey = z.string().optional().meta({
  description: 'Names the request: a repetition within 24 hours gets the first answer, another request 422',
});

/** The headers of a POST that records. */
export const postHeader = preferHeader.extend({ 'idempotency-key': idempotencyKey });

/** The same where what is recorded may be anchored on a chain. */
export const postOrWaitHeader = preferOrWaitHeader.extend({ 'idempotency-key': idempotencyKey });

/** The header of a POST that records many. */
export const keyHeader = z.looseObject({ 'idempotency-key': idempotencyKey });

/** Reads the header `Prefer`. Of each preference the first counts (§2); what cannot be read is none. */
export function readPreferences(header: string | string[] | undefined): Preferences {
  if (header === undefined) return {};
  const given = new Map<string, string>();
  for (const preference of String(header).split(',')) {
    const [stated = ''] = preference.split(';');
    const [name = '', value = ''] = stated.split('=').map((part) => part.trim());
    const key = name.toLowerCase();
    if (!given.has(key)) given.set(key, value.replace(/^"(.*)"$/, '$1'));
  }
  const wait = given.get('wait') ?? '';
  return {
    ...(/^\d{1,6}$/.test(wait) ? { waitSeconds: Number(wait) } : {}),
    ...(given.get('return') === 'representation' ? { receipt: true } : {}),
  };
}

/** Reports that a preference was applied (§3). */
export function notePreference(reply: FastifyReply, applied: string): void {
  const before = reply.getHeader('preference-applied');
  reply.header('preference-applied', before === undefined ? applied : `${before}, ${applied}`);
}
