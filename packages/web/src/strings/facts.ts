/** Texts that the page and the badge share. */
export const factTexts = {
  roles: { human: 'a person', ai: 'an AI', organization: 'an organisation', other: 'somebody' },
  moreMakers: 'others',
  made: 'Made',
  by: (who: string) => `by ${who}`,
  withAi: (tools: string) => (tools === '' ? 'with AI' : `with AI (${tools})`),
  helped: (tools: string) =>
    tools === '' ? 'An AI took part in its history.' : `An AI took part in its history (${tools}).`,
  withoutAi: 'Its Content Credentials state that no AI took part.',
  toolsWithheld: 'The use of AI is withheld.',
  recorded: (day: string) => `Recorded on ${day}.`,
  steps: (count: number) => (count === 1 ? 'One step is recorded' : `${count} steps are recorded`),
  sources: (count: number) =>
    count === 0 ? '' : count === 1 ? ', with one other content' : `, with ${count} other contents`,
  cut: 'Only a part of the history is summarised here.',
  short: { generated: 'Made with AI', assisted: 'AI took part', plain: 'Where it comes from' },
} as const;
