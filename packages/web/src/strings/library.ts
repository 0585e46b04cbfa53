import { counter } from '../languages/counter.js';
import { textsOf } from '../languages/texts.js';

const files = counter('en', { one: 'file', other: 'files' });

export const library = textsOf('library', {
  title: 'Library',
  lead: 'The files of your project, newest first.',
  search: 'Search titles',
  searchHint: 'Type the beginnings of words: “harb” finds “Harbour at night”.',
  filters: 'Filters',
  person: 'Maker',
  everybody: 'Everybody',
  tool: 'AI tool',
  anyTool: 'Any tool or none',
  ai: 'AI',
  anyAi: 'Any level',
  aiScope: 'The AI level covers the file itself. Open its history to see AI in its sources.',
  noAiInStep: 'No AI in this step. Sources not checked.',
  lastStepWithoutAi: 'Last step without AI, as its record states',
  seeSources: 'See in its history whether its sources have AI',
  type: 'Type',
  anyType: 'All types',
  from: 'Recorded from',
  to: 'Recorded until',
  clear: 'Clear search and filters',
  loading: 'Loading files …',
  shown: (count: number, hasMore: boolean) => `${files(count)} shown${hasMore ? ', there are more' : ''}`,
  more: 'Load more',
  searching: 'No match among the newest files so far.',
  searchOn: 'Search older files',
  noneMatch: 'No file matches.',
  wordless: 'The search text has no letter and no digit, so it has no effect.',
  searchScope:
    'The search covers the titles of files, but not people and notes. If no title matches, it also covers the headlines of the newest published links.',
  linksFound: 'Published links with these words in their headlines',
  emptyTitle: 'Nothing is recorded in this project yet',
  emptyHow:
    'Record a first file here, or send files from your programs with a key of the project. Every recorded file appears in this library.',
  record: 'Record a file',
  check: 'Check a file',
  grid: 'Files',
  by: (name: string) => `by ${name}`,
  byCorrected: (name: string) => `by ${name} (corrected)`,
  withTool: (name: string) => `with ${name}`,
  published: 'Published',
  links: {
    title: 'Published links',
    none: 'This project has no published links.',
    of: (title: string, day: string) => `${title}, ${day}`,
    until: (day: string) => `until ${day}`,
    more: 'Only the newest links are listed.',
  },
});
