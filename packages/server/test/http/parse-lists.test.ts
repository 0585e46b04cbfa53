import { expect, it } from 'vitest';
import { assertNames } from '../../src/http/handlers/check-contents.js';
import { parseBatch, parsePreview } from '../../src/http/handlers/parse-lists.js';
import { countTurns } from '../support/count-turns.js';

const { signal } = new AbortController();
const toWeights = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, place) => ({ entityId: `e${place}`, ...more }));

it('the weights of a preview keep their order, and other requests run while the service checks the list', async () => {
  const weights = toWeights(10_000, { weight: '1/3' });
  const turns = countTurns();
  const parsed = await parsePreview({ weights, total: 10 }, signal);
  turns.stop();
  expect(turns.count).toBeGreaterThanOrEqual(19);
  expect(parsed).toEqual({ weights, total: 10 });
});

it('the error names invalid weights by their positions in the complete list', async () => {
  const weights = toWeights(100).map((one, place) => ([3, 35].includes(place) ? { ...one, wallet: 2 } : one));
  await expect(parsePreview({ weights, total: 0 }, signal)).rejects.toMatchObject({
    code: 'ValidationError',
    details: [{ path: 'weights.3.wallet' }, { path: 'total' }, { path: 'weights.35.wallet' }],
  });
});

const toBatch = (actions: number, names: number) => ({
  actions: Array.from({ length: actions }, (_, place) => ({
    performedBy: 'ann',
    inputCids: Array.from(
      { length: names },
      (_, index) => `sha256:${(place * names + index).toString(16).padStart(64, '0')}`,
    ),
  })),
});

it('other requests run between the checks of the identifiers of a batch', async () => {
  const turns = countTurns();
  await assertNames(toBatch(5, 2_000), { signal });
  turns.stop();
  expect(turns.count).toBeGreaterThanOrEqual(4);
});

it('the error names invalid identifiers by their positions, also after the first step', async () => {
  const { actions } = toBatch(1, 600);
  const invalid = Array.from({ length: 16 }, (_, place) => 100 + 30 * place);
  for (const place of invalid) actions[0]?.inputCids.splice(place, 1, 'none');
  const at = 'bundle.';
  await expect(assertNames({ actions }, { at, signal })).rejects.toMatchObject({
    details: [...invalid.map((place) => ({ path: `bundle.actions.0.inputCids.${place}` })), { path: '' }],
  });
});

it('a batch of few actions with many identifiers is checked in steps', async () => {
  const batch = toBatch(16, 200);
  const before = countTurns();
  const parsed = await parseBatch(batch, signal);
  before.stop();
  expect(before.count).toBeGreaterThan(0);
  expect(parsed.actions.map(({ inputCids }) => inputCids.length)).toEqual(Array(16).fill(200));
  const broken = { actions: batch.actions.with(9, { performedBy: 'ann', inputCids: ['none'] }) };
  await expect(parseBatch(broken, signal)).rejects.toMatchObject({
    details: [{ path: 'actions.9.inputCids.0' }],
  });
});

it.each([
  ['weights', { weights: Array(10_000).fill({}), total: 1 }, parsePreview],
  ['actions of a bundle', { bundle: { actions: Array(8_000).fill(0) }, total: 1 }, parsePreview],
  ['entities', { entities: Array(1_000).fill({}), actions: Array(1_000).fill({}) }, parseBatch],
] as const)('the check stops after about 100 problems in %s', async (_, body, parse) => {
  const refused = parse(body, signal).catch((error: unknown) => error);
  const { details } = (await refused) as { details: { path: string; message: string; truncated?: true }[] };
  const count = Number(/stopped after (\d+) problems/.exec(details.at(-1)?.message ?? '')?.[1]);
  expect(count).toBeGreaterThanOrEqual(50);
  expect(count).toBeLessThan(300);
  expect(details.at(-1)).toMatchObject({ path: '', truncated: true });
  expect(details.length).toBeLessThanOrEqual(51);
});
