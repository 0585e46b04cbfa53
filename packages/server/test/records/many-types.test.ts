import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const BATCHES = 3;
const ACTIONS = 500;
const MAX_TYPES = 1_000;

let service: Service;
beforeAll(async () => {
  service = await startService(ANY_ENGINE);
});
afterAll(() => service.stop());

const cidOf = (place: number) => `sha256:${(place + 1).toString(16).padStart(64, '0')}`;

it('a compliance report names at most 1,000 types, and counts the contents of further types as other', async () => {
  await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human', name: 'Ann' }));
  const mark = { aiDisclosure: 'ai_generated', generator: { name: 'a tool' } };
  for (let batch = 0; batch < BATCHES; batch++) {
    const actions = Array.from({ length: ACTIONS }, (_, action) => ({
      performedBy: 'ann',
      outputCids: [cidOf(batch * ACTIONS + action)],
      resourceType: `type ${batch * ACTIONS + action}`,
      extensions: { 'ext:mark@1.0.0': mark },
    }));
    expect((await service.send('/v1/batch', jsonPost({ actions }))).status).toBe(201);
  }
  const { marks } = await (await service.send('/v1/compliance/report')).json();
  expect(marks).toMatchObject({ total: BATCHES * ACTIONS, complete: true });
  expect(marks.byType).toHaveLength(MAX_TYPES);
  expect(marks.byType).toContainEqual({ type: 'other', count: BATCHES * ACTIONS - MAX_TYPES + 1 });
  expect(marks.byDisclosure).toMatchObject([{ aiDisclosure: 'ai_generated', count: BATCHES * ACTIONS }]);
}, 120_000);
