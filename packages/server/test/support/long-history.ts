import { randomUUID } from 'node:crypto';
import type { ProvenBundle } from '@colophon/model';
import { createSigner } from '../../src/access/ed25519.js';
import type { Database } from '../../src/platform/db/database.js';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';
import { draftAttribution, draftEntity } from '../../src/records/draft/draft-records.js';
import { readProvenBundle } from '../../src/records/read/prove-bundle.js';
import { draftActionItem } from '../../src/records/write/record-action.js';
import { createCompleteNodes } from '../../src/transparency-log/complete-nodes.js';
import type { TransparencyLogDeps } from '../../src/transparency-log/deps.js';
import { nameLogs } from '../../src/transparency-log/log.sql.js';
import { toLogSigner } from '../../src/transparency-log/log-signer.js';
import { recordItems } from './plain-items.js';

export const ATTRIBUTIONS = 1_500;
export const TERMS = { cid: 'made', direction: 'ancestors', depth: undefined, limit: 1_000 } as const;
export const signer = createSigner('07'.repeat(32));
export const trusted = { publicKey: Buffer.from(signer.publicKeyHex, 'hex') };
export const AT = new Date();

export const toAction = (inputCids: string[], outputCids: string[]) => {
  const input = {
    type: 'transform',
    performedBy: 'ann',
    inputCids,
    outputCids,
    resourceType: 'other',
    extensions: {},
  };
  return draftActionItem({ input, id: randomUUID(), at: AT }, {});
};

export const toAttribution = (role: string) => ({
  attributions: [draftAttribution({ id: randomUUID(), entityId: 'ann', resourceCid: 'made', role }, {}, AT)],
});

/** The caller closes the database. */
export async function recordLongHistory(projectId: string): Promise<Databases> {
  const databases = await openDatabases({ kind: 'memory' });
  await nameLogs(databases.provenance, 'localhost');
  const write = (items: readonly object[]) => recordItems(databases.provenance, projectId, items);
  await write([
    { entities: [draftEntity({ id: 'ann', role: 'human' }, { id: 'ann', at: AT, asserted: {} })] },
  ]);
  await write([toAction([], ['source']), toAction(['source'], ['made'])]);
  const roles = Array.from({ length: ATTRIBUTIONS }, (_, place) => `ext:role-${place}`);
  await write(roles.map(toAttribution));
  return databases;
}

export function createProver(databases: () => Databases, projectId: string) {
  const write = (items: readonly object[]) => recordItems(databases().provenance, projectId, items);
  const toDeps = (provenance: Database = databases().provenance): TransparencyLogDeps => ({
    provenance,
    signer: toLogSigner(signer),
    service: 'localhost',
    readAnchoredLeaf: async () => undefined,
    limitConcurrency: (_, run) => run(),
    completeNodes: createCompleteNodes(provenance, (_, run) => run()),
  });
  const prove = async (
    deps = toDeps(),
    options: Partial<Parameters<typeof readProvenBundle>[2]> = {},
  ): Promise<ProvenBundle> => {
    const proven = await readProvenBundle(deps, projectId, { ...TERMS, ...options });
    if (proven === undefined) throw new Error('The content has no recorded history');
    return proven;
  };
  return { write, toDeps, prove };
}
