import { expect, it } from 'vitest';
import { parsePreview } from '../../src/http/handlers/parse-lists.js';
import { countTurns } from '../support/count-turns.js';

const { signal } = new AbortController();
const toWeights = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, place) => ({ entityId: `e${place}`, ...more }));

it('the weights of a preview keep their order, and other requests run between the checks of their parts', async () => {
  const weights = toWeights(10_000, { weight: '1/3' });
  const turns = countTurns();
  const parsed = await parsePreview({ weights, total: 10 }, signal);
  turns.stop();
  expect(turns.count).toBeGreaterThanOrEqual(19);
  expect(parsed).toEqual({ weights, total: 10 });
});

it('names invalid weights by their positions in the complete list', async () => {
  const weights = toWeights(100).map((one, place) => ([3, 35].includes(place) ? { ...one, wallet: 2 } : one));
  await expect(parsePreview({ weights, total: 0 }, signal)).rejects.toMatchObject({
    code: 'ValidationError',
    details: [{ path: 'weights.3.wallet' }, { path: 'total' }, { path: 'weights.35.wallet' }],
  });
});
