/** Texts that the page and the badge share. */
export const factTexts = {
  roles: { human: 'a person', ai: 'an AI', organization: 'an organisation', other: 'somebody' },
  moreMakers: 'others',
  made: 'Made',
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
  steps: (count: number) => (count === 1 ? '1 step' : `${count} steps`),
  sources: (count: number) =>
    count === 0 ? '' : count === 1 ? ', 1 source file' : `, ${count} source files`,
  cut: 'Only a part of the history is summarised here.',
  short: {
    generated: 'AI-generated',
    assisted: 'AI-edited',
    involved: 'AI in its history',
    sources: 'AI in sources',
    withheld: 'AI use not disclosed',
    plain: 'Where it comes from',
  },
} as const;
