import { counter } from '../languages/counter.js';
import { textsOf } from '../languages/texts.js';

const steps = counter('en', { one: 'step', other: 'steps' });
const sources = counter('en', { one: 'source file', other: 'source files' });

/** Texts that the page and the badge share. */
export const factTexts = textsOf('factTexts', {
  roles: { human: 'a person', ai: 'an AI', organization: 'an organisation', other: 'somebody' },
  namedAi: (name: string) => `the AI ${name}`,
  acts: { made: 'Made', edited: 'Edited', combined: 'Put together' },
  fromWork: (who: string) => `from work by ${who}`,
  by: (who: string) => `by ${who}`,
  withAi: (tools: string) => (tools === '' ? 'with AI' : `with AI (${tools})`),
  assisted: (tools: string) =>
    tools === '' ? 'AI helped to make it.' : `AI helped to make it. AI tools in its history: ${tools}.`,
  inSources: (tools: string) =>
    tools === '' ? 'AI was used in its sources.' : `AI was used in its sources (${tools}).`,
  involved: 'AI was used in its history. The publisher does not disclose where.',
  withoutAi: 'Its Content Credentials state that no AI was used.',
  undisclosed: 'The publisher does not disclose whether AI was used.',
  noneRecorded: 'No use of AI is recorded.',
  recorded: (day: string) => `Recorded on ${day}.`,
  length: (count: number, others: number) =>
    others === 0 ? `${steps(count)}.` : `${steps(count)}, ${sources(others)}.`,
  cut: 'Only a part of the history is summarised here.',
  short: {
    generated: 'AI-generated',
    assisted: 'AI-edited',
    involved: 'AI in its history',
    sources: 'AI in sources',
    withheld: 'AI use not disclosed',
    plain: 'Where it comes from',
  },
});
