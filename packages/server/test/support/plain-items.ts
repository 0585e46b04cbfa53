import { createHash } from 'node:crypto';
import type { Queryable } from '../../src/platform/db/database.js';
import { record } from '../../src/records/write/recording.sql.js';

const digestOf = (id: string) => createHash('sha256').update(id).digest('hex');

export function toEntityItem(body: { id: string; role: string; name?: string }) {
  return { entities: [{ id: body.id, body, given: {}, digest: digestOf(body.id), salts: {} }] };
}

export function toActionItem(body: {
  id: string;
  performedBy: string;
  inputCids: string[];
  outputCids: string[];
  sessionId?: string;
}) {
  const digest = digestOf(body.id);
  const stored = { ...body, type: 'transform' };
  const action = {
    ...{ id: body.id, body: stored, digest, salts: {}, fingerprint: digest },
    ...{ resourceType: 'other', idIsGiven: false },
  };
  return { action, attributions: [] };
}

/** Maximum number of items in one statement. */
const AT_ONCE = 200;

export async function recordItems(db: Queryable, projectId: string, items: readonly object[]): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE)
    await record(
      db,
      projectId,
      items.slice(at, at + AT_ONCE).map((item) => JSON.stringify(item)),
    );
}
