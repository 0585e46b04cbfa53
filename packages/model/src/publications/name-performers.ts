import type { PublishedHistory } from './published-history.js';

const MAX_NAMED = 5;

/**
 * Returns the names of the people and organisations that performed the steps of a history. Returns no names if one of
 * them has no shown name, or if there are more than 5 of them.
 *
 * @example
 * const people = [{ ref: 'r', hidden: false, role: 'human', name: 'Ann' }];
 * const step = { type: 'create', at: '2026-03-02T09:00:00.000Z', by: 'r', inputs: [], outputs: [] };
 * namePerformers({ people, steps: [{ ...step, prompts: [], signed: false }] }); // => ['Ann']
 */
export function namePerformers({ people, steps }: Pick<PublishedHistory, 'people' | 'steps'>): string[] {
  const refs = new Set(steps.map(({ by }) => by));
  const performers = people.filter(({ ref, role }) => refs.has(ref) && role !== 'ai');
  const names = new Set(performers.map(({ name }) => name ?? ''));
  return names.has('') || names.size > MAX_NAMED ? [] : [...names];
}
