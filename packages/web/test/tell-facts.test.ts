import type { PublishedFacts } from '@colophon/model';
import { describe, expect, it } from 'vitest';
import { describeOrigin, describeRecord, describeShort } from '../src/strings/describe-facts.js';

const FACTS: PublishedFacts = {
  type: 'image',
  recordedAt: '2026-11-21T09:30:00.000Z',
  ai: 'unstated',
  makers: [],
  tools: [],
  steps: 1,
  sources: 0,
  complete: true,
};
const ann = { role: 'human', name: 'Ann' };

describe('the sentence on a content', () => {
  it.each<[Partial<PublishedFacts>, string, string]>([
    [{ makers: [ann] }, 'Made by Ann.', 'Made by Ann'],
    [{ makers: [ann, { role: 'human', name: 'Bo' }] }, 'Made by Ann and Bo.', 'Made by Ann and Bo'],
    [{ makers: [{ role: 'human' }] }, 'Made by a person.', 'Where it comes from'],
    [{ makers: [{ role: 'ext:robot' }] }, 'Made by somebody.', 'Where it comes from'],
    [
      { makers: [ann], ai: 'generated', tools: ['Acme painter'] },
      'Made with AI (Acme painter) by Ann.',
      'Made with AI',
    ],
    [{ makers: [ann], ai: 'generated' }, 'Made with AI by Ann.', 'Made with AI'],
    [
      { makers: [{ role: 'ai', name: 'Painter' }], ai: 'generated' },
      'Made by the AI Painter.',
      'Made with AI',
    ],
    [
      { makers: [ann], ai: 'assisted', tools: ['Acme painter'] },
      'Made by Ann. An AI took part in its history (Acme painter).',
      'AI took part',
    ],
    [{ makers: [ann], ai: 'withheld' }, 'Made by Ann. The use of AI is withheld.', 'Made by Ann'],
    [
      { makers: [ann], ai: 'human' },
      'Made by Ann. Its Content Credentials state that no AI took part.',
      'Made by Ann',
    ],
    [{ ai: 'generated' }, 'Made with AI.', 'Made with AI'],
    [{}, 'Where it comes from', 'Where it comes from'],
  ])('for %j is %s', (facts, sentence, short) => {
    expect([describeOrigin({ ...FACTS, ...facts }), describeShort({ ...FACTS, ...facts })]).toEqual([
      sentence,
      short,
    ]);
  });

  it('is followed by the date of the record, the length of the history, and whether it is complete', () => {
    expect(describeRecord({ ...FACTS, steps: 3, sources: 2, complete: false })).toEqual([
      'Recorded on 21 November 2026.',
      '3 steps are recorded, with 2 other contents.',
      'Only a part of the history is summarised here.',
    ]);
  });
});
