import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/platform/db/database.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import type { RecordDeps } from '../../src/records/deps.js';
import type { RecordItem } from '../../src/records/draft/record-item.js';
import { restrictToBoundKey } from '../../src/records/read/bound-key.js';
import { openOn } from '../support/open-on.js';
import { recordItems, toActionItem, toEntityItem } from '../support/plain-items.js';
import { oneOrAll } from '../support/service.js';

const PROJECT = '01a20168-21fc-71bd-be7b-a2bb5c39a7ee';
const cidOf = (place: number) => `sha256:${place.toString(16).padStart(64, '0')}`;

describe.each(oneOrAll(['PGlite', 'PostgreSQL']))('the check of a bound key, on %s', (engine) => {
  let databases: Databases;
  const own: string[] = Array.from({ length: 100 }, () => randomUUID());
  const foreign = randomUUID();

  beforeAll(async () => {
    databases = await openOn(engine);
    const items = ['ann', 'bo'].map((id) => toEntityItem({ id, role: 'human' }));
    await recordItems(databases.provenance, PROJECT, items);
    const actions = [...own, foreign].map((id, place) =>
      toActionItem({
        id,
        performedBy: id === foreign ? 'bo' : 'ann',
        inputCids: [],
        outputCids: [cidOf(place)],
      }),
    );
    await recordItems(databases.provenance, PROJECT, actions);
  });
  afterAll(() => databases.close());

  async function check(bodies: object[]): Promise<{ statements: number; recorded: boolean }> {
    let statements = 0;
    const provenance: Database = {
      ...databases.provenance,
      query(text, parameters) {
        statements++;
        return databases.provenance.query(text, parameters);
      },
    };
    const recorder = { recordBatch: async () => 'recorded' };
    const bare = { provenance, recorder } as unknown as RecordDeps;
    const deps = restrictToBoundKey({ keyId: 'key', entityId: 'ann' }, bare);
    const items = bodies.map((body) => ({ attributions: [{ body }] }) as unknown as RecordItem);
    const outcome = await deps.recorder.recordBatch(PROJECT, { items }).catch((error) => error.code);
    if (outcome !== 'recorded') expect(outcome).toBe('Forbidden');
    return { statements, recorded: outcome === 'recorded' };
  }

  const ofActions = own.map((actionId) => ({ actionId }));
  const ofContents = own.map((_, place) => ({ resourceCid: cidOf(place) }));

  it('needs two statements for a batch with any number of attributions', async () => {
    const many = [...ofActions, ...ofContents, ...ofActions];
    expect(await check(many)).toEqual({ statements: 2, recorded: true });
  });

  it('rejects a batch that names one action or content of another entity', async () => {
    expect(await check([...ofActions, { actionId: foreign }])).toMatchObject({ recorded: false });
    expect(await check([...ofContents, { resourceCid: cidOf(own.length) }])).toMatchObject({
      recorded: false,
    });
  });

  it('accepts targets that are not stored, since the same request can record them', async () => {
    const absent = [{ actionId: randomUUID() }, { resourceCid: cidOf(1_000) }];
    expect(await check(absent)).toEqual({ statements: 2, recorded: true });
  });
});
