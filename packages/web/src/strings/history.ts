/** How what was done is told, wherever a history is shown. */
export const history = {
  did: {
    create: 'made this',
    reference: 'recorded this as being from elsewhere',
    generate: 'made this with AI',
    transform: 'made this by changing something',
    aggregate: 'put this together',
    verify: 'checked this',
  },
  other: (type: string) => `did something of their own with this (${type})`,
  withTool: (tool: string) => `(${tool})`,
  from: (count: number) => (count === 1 ? 'from another file' : `from ${count} other files`),
  somebody: (id: string) => `somebody called ${id}`,
} as const;
