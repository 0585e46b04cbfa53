import { createHash } from 'node:crypto';

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
