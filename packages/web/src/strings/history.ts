/** Texts for actions in every view of a history. */
export const history = {
  did: {
    create: 'made this',
    reference: 'recorded this as content from elsewhere',
    generate: 'made this with AI',
    transform: 'made this by changing something',
    aggregate: 'put this together',
    verify: 'checked this',
  },
  other: (type: string) => `performed a custom action on this (${type})`,
  withTool: (tool: string) => `(${tool})`,
  from: (count: number) => (count === 1 ? 'from another file' : `from ${count} other files`),
  somebody: (id: string) => `somebody called ${id}`,
} as const;
