import { createHash } from 'node:crypto';
import type { Queryable } from '../../src/platform/db/database.js';
import { record } from '../../src/records/write/recording.sql.js';

const digestOf = (id: string) => createHash('sha256').update(id).digest('hex');

/** An entity as an item that `record()` takes. */
export function toEntityItem(body: { id: string; role: string; name?: string }) {
  return { entities: [{ id: body.id, body, given: {}, digest: digestOf(body.id), salts: {} }] };
}

/** An action as an item that `record()` takes. */
export function toActionItem(body: {
  id: string;
  performedBy: string;
  inputCids: string[];
  outputCids: string[];
}) {
  const digest = digestOf(body.id);
  const stored = { ...body, type: 'transform' };
  const action = {
    ...{ id: body.id, body: stored, digest, salts: {}, fingerprint: digest },
    ...{ resourceType: 'other', idIsGiven: false },
  };
  return { action, attributions: [] };
}

/** Items of one statement. */
const AT_ONCE = 200;

/** Records items in their order. */
export async function recordItems(db: Queryable, projectId: string, items: readonly object[]): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE)
    await record(
      db,
      projectId,
      items.slice(at, at + AT_ONCE).map((item) => JSON.stringify(item)),
    );
}
