import type { PublishedFacts } from '@colophon/model';
import { describe, expect, it } from 'vitest';
import { describeOrigin, describeRecord, describeShort } from '../src/strings/describe-facts.js';
import { describeSource } from '../src/ui/describe-source.js';

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
    [{ makers: [ann] }, 'No AI recorded. Made by Ann.', 'Made by Ann'],
    [
      { makers: [ann, { role: 'human', name: 'Bo' }] },
      'No AI recorded. Made by Ann and Bo.',
      'Made by Ann and Bo',
    ],
    [
      { makers: ['Ann', 'Bo', 'Cy', 'Di', 'Eve'].map((name) => ({ role: 'human', name })), furtherMakers: 2 },
      'No AI recorded. Made by Ann, Bo, Cy and 4 others.',
      'Made by Ann, Bo, Cy and 4 others',
    ],
    [{ makers: [{ role: 'human' }] }, 'No AI recorded. Made by a person.', 'Where it comes from'],
    [{ makers: [{ role: 'ext:robot' }] }, 'No AI recorded. Made by somebody.', 'Where it comes from'],
    [
      { makers: [ann], ai: 'generated', tools: ['Acme painter'] },
      'AI-generated. Made by Ann. AI tools in its history: Acme painter.',
      'AI-generated',
    ],
    [{ makers: [ann], ai: 'generated' }, 'AI-generated. Made by Ann.', 'AI-generated'],
    [
      { makers: [{ role: 'ai', name: 'Painter' }], ai: 'generated' },
      'AI-generated. Made by the AI Painter.',
      'AI-generated',
    ],
    [
      { makers: [ann], ai: 'assisted', tools: ['Acme painter'] },
      'AI-edited. Made by Ann. AI tools in its history: Acme painter.',
      'AI-edited',
    ],
    [
      { makers: [ann], ai: 'sources', tools: ['Acme painter'] },
      'AI in sources. Made by Ann. AI tools in its history: Acme painter.',
      'AI in sources',
    ],
    [
      { makers: [ann], ai: 'involved' },
      'AI in its history. The publisher does not name the step. Made by Ann.',
      'AI in its history',
    ],
    [{ makers: [ann], complete: false }, 'Made by Ann.', 'Made by Ann'],
    [
      { makers: [ann], ai: 'withheld' },
      'AI use not disclosed. Made by Ann.',
      'Made by Ann. AI use not disclosed',
    ],
    [{ ai: 'withheld' }, 'AI use not disclosed.', 'AI use not disclosed'],
    [
      { makers: [ann], ai: 'human' },
      'Made without AI, as its record states. Made by Ann.',
      'Made without AI, as its record states',
    ],
    [
      { ai: 'human', sources: 1 },
      'Made without AI, as its record states for this file, but not for its sources.',
      'Made without AI, as its record states for this file, but not for its sources',
    ],
    [
      { ai: 'human', withoutAiBy: ann, makers: [ann] },
      'Made without AI by Ann, as its record states. Made by Ann.',
      'Made without AI by Ann, as its record states',
    ],
    [
      { ai: 'human', withoutAiBy: { role: 'human' }, sources: 1 },
      'Made without AI by a person, as its record states for this file, but not for its sources.',
      'Made without AI by a person, as its record states for this file, but not for its sources',
    ],
    [{ ai: 'generated' }, 'AI-generated.', 'AI-generated'],
    [
      { ai: 'generated', aiCorrected: true, makers: [ann] },
      'AI-generated. An earlier entry states this. A later entry corrects it. Made by Ann.',
      'AI-generated',
    ],
    [
      { act: 'edited', makers: [ann], sourceMakers: [{ role: 'human', name: 'Bo' }, { role: 'ai' }] },
      'No AI recorded. Edited by Ann from work by Bo and an AI.',
      'Edited by Ann',
    ],
    [{ act: 'combined', makers: [ann], ai: 'assisted' }, 'AI-edited. Put together by Ann.', 'AI-edited'],
    [
      { act: 'marked', makers: [ann], sourceMakers: [ann], ai: 'generated' },
      'AI-generated. By Ann, marked copy.',
      'AI-generated',
    ],
    [
      { act: 'marked', makers: [ann], sourceMakers: [{ role: 'human', name: 'Bo' }], ai: 'generated' },
      'AI-generated. By Bo, marked copy by Ann.',
      'AI-generated',
    ],
    [
      { act: 'marked', makers: [ann], sourceMakers: [{ role: 'human', name: 'Bo' }] },
      'No AI recorded. By Bo, marked copy by Ann.',
      'By Bo, marked copy by Ann',
    ],
    [
      { act: 'marked', makers: [{ role: 'human' }], sourceMakers: [{ role: 'human' }], ai: 'generated' },
      'AI-generated. By a person, marked copy by a person.',
      'AI-generated',
    ],
    [{ act: 'marked', makers: [ann] }, 'No AI recorded. Marked copy by Ann.', 'Marked copy by Ann'],
    [{ act: 'made', makers: [ann], ai: 'generated' }, 'AI-generated. Made by Ann.', 'AI-generated'],
    [{}, 'No AI recorded.', 'Where it comes from'],
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

describe('the source of a level of AI', () => {
  it.each<[Partial<PublishedFacts>, string | undefined]>([
    [{ ai: 'generated' }, 'Its record states this.'],
    [{ ai: 'sources', aiCorrected: true }, 'An earlier entry states this. A later entry corrects it.'],
    [{ ai: 'assisted', withoutAiBy: ann }, 'Its record states this.'],
    [
      { ai: 'sources', sources: 1, withoutAiBy: ann },
      'Its record states this. Made without AI by Ann, as its record states for this file, but not for its sources.',
    ],
    [{ ai: 'unstated', complete: false, withoutAiBy: ann }, 'Made without AI by Ann, as its record states.'],
    [{ ai: 'human', withoutAiBy: ann }, undefined],
    [{ ai: 'unstated' }, undefined],
    [{ ai: 'withheld' }, undefined],
  ])('for %j is %s', (facts, source) => {
    expect(describeSource({ ...FACTS, ...facts })).toBe(source);
  });
});
