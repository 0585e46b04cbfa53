import type { PublishedHistory } from '../../src/index.js';

export const AT = '2026-11-21T09:30:00.000Z';

export type Given = Partial<Omit<PublishedHistory, 'facts'>> & { facts?: Partial<PublishedHistory['facts']> };

export function historyOf({ facts, ...given }: Given): PublishedHistory {
  return {
    ...{ id: 'A'.repeat(24), cid: 'own', title: null, publishedAt: AT, expiresAt: null, withheld: [] },
    ...{ hidden: 0, provable: false, path: '/app/p/A', people: [], steps: [], contents: [], credits: [] },
    ...given,
    facts: {
      type: 'image',
      ai: 'unstated',
      makers: [],
      tools: [],
      steps: 0,
      sources: 0,
      complete: true,
      ...facts,
    },
  };
}

export const stepAt = (at: string, type: string, more: Partial<PublishedHistory['steps'][number]> = {}) => ({
  ...{ type, at, by: 'r', inputs: [], outputs: ['own'], prompts: [], signed: false },
  ...more,
});
