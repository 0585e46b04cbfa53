import type { FastifyReply } from 'fastify';
import { z } from 'zod';

/** Preferences of the caller (RFC 7240). */
export interface Preferences {
  waitSeconds?: number;
  receipt?: true;
  /** Whether 204 replaces 404 for absent content. */
  noContent?: true;
}

export const preferHeader = z.looseObject({
  prefer: z
    .string()
    .optional()
    .meta({ description: 'RFC 7240: return=representation adds the receipt to the response' }),
});

/** The header of recordings that may be anchored on a chain. */
const preferOrWaitHeader = z.looseObject({
  prefer: z.string().optional().meta({
    description:
      'RFC 7240: return=representation adds the receipt to the response; wait=N waits up to N s for an anchor',
  }),
});

/** The header of reads of content that is often absent. With it, a browser does not log an error for each 404. */
export const absenceHeader = z.looseObject({
  prefer: z.string().optional().meta({
    description: 'RFC 7240: absent=no-content returns 204 in place of 404',
  }),
});

export const noContentSchema = z.null();

const idempotencyKey = z.string().optional().meta({
  description:
    'Identifies the request: a repetition within 24 hours returns the first response, a different request returns 422',
});

export const postHeader = preferHeader.extend({ 'idempotency-key': idempotencyKey });

/** The headers of recordings that may be anchored on a chain. */
export const postOrWaitHeader = preferOrWaitHeader.extend({ 'idempotency-key': idempotencyKey });

export const keyHeader = z.looseObject({ 'idempotency-key': idempotencyKey });

/** Reads `Prefer` (RFC 7240 §2). The first occurrence of a preference counts, and invalid preferences are ignored. */
export function readPreferences(header: string | string[] | undefined): Preferences {
  if (header === undefined) return {};
  const stated = new Map<string, string>();
  for (const preference of String(header).split(',')) {
    const [token = ''] = preference.split(';');
    const [name = '', value = ''] = token.split('=').map((part) => part.trim());
    const key = name.toLowerCase();
    if (!stated.has(key)) stated.set(key, value.replace(/^"(.*)"$/, '$1'));
  }
  const wait = stated.get('wait') ?? '';
  return {
    ...(/^\d{1,6}$/.test(wait) ? { waitSeconds: Number(wait) } : {}),
    ...(stated.get('return') === 'representation' ? { receipt: true } : {}),
    ...(stated.get('absent') === 'no-content' ? { noContent: true } : {}),
  };
}

/** Adds to `Preference-Applied` (RFC 7240 §3). */
export function notePreference(reply: FastifyReply, applied: string): void {
  const before = reply.getHeader('preference-applied');
  reply.header('preference-applied', before === undefined ? applied : `${before}, ${applied}`);
}
