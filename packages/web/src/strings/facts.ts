import { counter } from '../languages/counter.js';
import { textsOf } from '../languages/texts.js';

const steps = counter('en', { one: 'step', other: 'steps' });
const sources = counter('en', { one: 'source file', other: 'source files' });

/** The page and the badge share these texts. */
export const factTexts = textsOf('factTexts', {
  roles: { human: 'a person', ai: 'an AI', organization: 'an organisation', other: 'somebody' },
  namedAi: (name: string) => `the AI ${name}`,
  acts: { made: 'Made', edited: 'Edited', combined: 'Put together', marked: 'Marked copy' },
  /** `who`: the makers of the original. `marker`: empty if the makers marked the copy, or if nobody is named. */
  markedCopyOf: (who: string, marker: string) => `By ${who}, marked copy${marker && ` by ${marker}`}`,
  fromWork: (who: string) => `from work by ${who}`,
  by: (who: string) => `by ${who}`,
  others: counter('en', { one: 'other', other: 'others' }),
  tools: (tools: string) => `AI tools in its history: ${tools}.`,
  whereWithheld: 'The publisher does not name the step.',
  recorded: (day: string) => `Recorded on ${day}.`,
  length: (count: number, others: number) =>
    others === 0 ? `${steps(count)}.` : `${steps(count)}, ${sources(others)}.`,
  cut: 'Only a part of the history is summarised here.',
  plain: 'Where it comes from',
});
