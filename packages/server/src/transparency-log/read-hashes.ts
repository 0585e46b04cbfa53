import { leafHash } from '@colophon/model';
import type { Queryable } from '../platform/db/database.js';
import { createSha256 } from './create-sha256.js';
import { readDigestsHex, readNodesHex, type Span } from './log.sql.js';

export class IncompleteLogError extends Error {
  constructor(projectId: string, level: number) {
    super(`The log of ${projectId} lacks hashes of level ${level}`);
    this.name = 'IncompleteLogError';
  }
}

const DIGEST_HEX_DIGITS = 64;

/** Level 0 has the leaves. Throws `IncompleteLogError` if some hashes are not stored. */
export async function readHashes(
  db: Queryable,
  projectId: string,
  { level, from, to }: Span & { level: number },
): Promise<Uint8Array[]> {
  const digits =
    level === 0
      ? await readDigestsHex(db, projectId, { from, to })
      : await readNodesHex(db, projectId, { level, from, to });
  const found = digits.match(new RegExp(`.{${DIGEST_HEX_DIGITS}}`, 'g')) ?? [];
  if (found.length !== to - from) throw new IncompleteLogError(projectId, level);
  return level === 0
    ? found.map((hex) => leafHash(`sha256:${hex}`, createSha256))
    : found.map((hex) => Buffer.from(hex, 'hex'));
}
