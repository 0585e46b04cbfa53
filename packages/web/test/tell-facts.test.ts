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
    [{ makers: [ann] }, 'Made by Ann. No use of AI is recorded.', 'Made by Ann'],
    [
      { makers: [ann, { role: 'human', name: 'Bo' }] },
      'Made by Ann and Bo. No use of AI is recorded.',
      'Made by Ann and Bo',
    ],
    [{ makers: [{ role: 'human' }] }, 'Made by a person. No use of AI is recorded.', 'Where it comes from'],
    [
      { makers: [{ role: 'ext:robot' }] },
      'Made by somebody. No use of AI is recorded.',
      'Where it comes from',
    ],
    [
      { makers: [ann], ai: 'generated', tools: ['Acme painter'] },
      'Made with AI (Acme painter) by Ann.',
      'AI-generated',
    ],
    [{ makers: [ann], ai: 'generated' }, 'Made with AI by Ann.', 'AI-generated'],
    [
      { makers: [{ role: 'ai', name: 'Painter' }], ai: 'generated' },
      'Made by the AI Painter.',
      'AI-generated',
    ],
    [
      { makers: [ann], ai: 'assisted', tools: ['Acme painter'] },
      'Made by Ann. AI helped to make it. AI tools in its history: Acme painter.',
      'AI-edited',
    ],
    [
      { makers: [ann], ai: 'sources', tools: ['Acme painter'] },
      'Made by Ann. AI was used in its sources (Acme painter).',
      'AI in sources',
    ],
    [
      { makers: [ann], ai: 'involved' },
      'Made by Ann. AI was used in its history. The publisher does not disclose where.',
      'AI in its history',
    ],
    [{ makers: [ann], complete: false }, 'Made by Ann.', 'Made by Ann'],
    [
      { makers: [ann], ai: 'withheld' },
      'Made by Ann. The publisher does not disclose whether AI was used.',
      'Made by Ann; AI use not disclosed',
    ],
    [{ ai: 'withheld' }, 'The publisher does not disclose whether AI was used.', 'AI use not disclosed'],
    [
      { makers: [ann], ai: 'human' },
      'Made by Ann. Its Content Credentials state that no AI was used.',
      'Made by Ann',
    ],
    [{ ai: 'generated' }, 'Made with AI.', 'AI-generated'],
    [
      { act: 'edited', makers: [ann], sourceMakers: [{ role: 'human', name: 'Bo' }, { role: 'ai' }] },
      'Edited by Ann from work by Bo and an AI. No use of AI is recorded.',
      'Edited by Ann',
    ],
    [
      { act: 'combined', makers: [ann], ai: 'assisted' },
      'Put together by Ann. AI helped to make it.',
      'AI-edited',
    ],
    [{ act: 'made', makers: [ann], ai: 'generated' }, 'Made with AI by Ann.', 'AI-generated'],
    [{}, 'No use of AI is recorded.', 'Where it comes from'],
  ])('for %j is %s', (facts, sentence, short) => {
    expect([describeOrigin({ ...FACTS, ...facts }), describeShort({ ...FACTS, ...facts })]).toEqual([
      sentence,
      short,
    ]);
  });

  it('comes with the date of the record, the length of the history, and a note on a partial history', () => {
    expect(describeRecord({ ...FACTS, steps: 3, sources: 2, complete: false })).toEqual([
      expect.stringMatching(/^Recorded on 2[12] November 2026 at \d\d:\d\d\.$/),
      '3 steps, 2 source files.',
      'Only a part of the history is summarised here.',
    ]);
  });
});
