import { entityIdSchema, parseContentId } from '@colophon/model';
import { isUuid } from '../../platform/uuid-v7.js';

/** `at`: the creation time (RFC 3339 with microseconds). */
export interface Position {
  at: string;
  id: string;
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

export function toCursor(list: string, { at, id }: Position): string {
  return Buffer.from(JSON.stringify([list, at, id])).toString('base64url');
}

/** Returns undefined for any text that is not a cursor of this list. */
export function parseCursor(list: string, text: string): Position | undefined {
  const parts = parseJson(Buffer.from(text, 'base64url').toString('utf8'));
  if (!Array.isArray(parts) || parts.length !== 3 || parts[0] !== list) return undefined;
  const [, at, id] = parts;
  if (typeof at !== 'string' || !isInstant(at)) return undefined;
  if (typeof id !== 'string' || !isIdOf(list, id)) return undefined;
  return toCursor(list, { at, id }) === text ? { at, id } : undefined;
}

/** Rejects days that the month does not have, and the year 0000, which PostgreSQL does not have. */
function isInstant(at: string): boolean {
  if (!INSTANT.test(at) || at < '0001' || Number.isNaN(Date.parse(at))) return false;
  return new Date(at).toISOString().slice(0, -1) === at.slice(0, -4);
}

function isIdOf(list: string, id: string): boolean {
  if (list === 'resources') return parseContentId(id) !== undefined;
  return list === 'entities' ? entityIdSchema.safeParse(id).success : isUuid(id);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
