import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { withholdFields } from '../../src/records/publishing/withhold-fields.js';
import { countTurns } from '../support/count-turns.js';

const ENTITIES = 1_000;
const SALT = Buffer.alloc(16, 7).toString('base64');

it('other tasks run while the fields of many records are withheld', async () => {
  const ids = Array.from({ length: ENTITIES }, () => `human:${randomUUID()}`);
  const entities = ids.map((id) => ({
    id,
    role: 'human',
    name: 'Ann',
    createdAt: '2026-01-01T00:00:00.000Z',
  }));
  const bundle = { cid: 'made', complete: true, actions: [], resources: [], attributions: [], entities };
  const leaves = ids.map((id, leafIndex) => ({
    ...({ kind: 'entity', id, leafIndex, digest: '' } as const),
    salts: { '/name': SALT },
  }));
  const turns = countTurns();
  const closed = await withholdFields({ bundle, leaves }, SETTINGS);
  turns.stop();
  expect(closed?.bundle.entities).toHaveLength(ENTITIES);
  expect(JSON.stringify(closed?.bundle.entities)).not.toContain('Ann');
  expect(closed?.leaves.every(({ erased }) => erased?.['/name'] !== undefined)).toBe(true);
  expect(turns.count).toBeGreaterThan(ENTITIES / 64);
});

const SETTINGS = {
  ...{ id: '', projectId: '', cid: 'made', title: null, createdAt: new Date(), expiresAt: null },
  withhold: ['names', 'details'] as const,
  hiddenEntities: [],
  titles: false,
  picture: false,
  license: false,
  pseudonymKey: new Uint8Array(32),
};
