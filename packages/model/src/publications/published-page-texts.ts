import type { Withholdable } from './publication.js';
import type { PublishedFacts } from './published-history.js';

interface PublishedPageTexts {
  ai: Readonly<Record<PublishedFacts['ai'], string>>;
  withholdable: Readonly<Record<Withholdable, string>>;
  /**
   * The keys are types of content (`kinds`), roles (`roles`, `somebody`) or types of actions (`did`). The key `other`
   * is for custom values.
   */
  kinds: Readonly<Record<string, string>>;
  roles: Readonly<Record<string, string>>;
  somebody: Readonly<Record<string, string>>;
  did: Readonly<Record<string, string>>;
}

const tables: PublishedPageTexts = {
  ai: {
    generated: 'AI-generated',
    assisted: 'AI-edited',
    involved: 'AI in its history',
    sources: 'AI in sources',
    human: 'Made without AI, as its record states',
    unstated: 'No AI recorded',
    withheld: 'AI use not disclosed',
  },
  withholdable: {
    names: 'names',
    wallets: 'wallets',
    metadata: 'details of people',
    notes: 'notes',
    prompts: 'prompts',
    tools: 'AI tools',
    details: 'further details',
  },
  kinds: { image: 'a picture', video: 'a video', audio: 'a sound', text: 'a text', other: 'a content' },
  roles: { human: 'Person', ai: 'AI', organization: 'Organisation', other: 'Somebody' },
  somebody: { human: 'a person', ai: 'an AI', organization: 'an organisation' },
  did: {
    create: 'made',
    generate: 'generated',
    transform: 'edited',
    aggregate: 'put together',
    reference: 'imported',
    verify: 'checked',
    other: 'recorded',
  },
};

export const publishedPageTexts = {
  ...tables,
  generic: (kind: string) => `Origin of ${kind}`,
  acts: { made: 'Made', edited: 'Edited', combined: 'Put together', marked: 'Marked copy' },
  by: (names: string) => `by ${names}`,
  markedCopyOf: (names: string, marker: string) =>
    `By ${names}, marked copy${marker === '' ? '' : ` by ${marker}`}`,
  statedBy: (name: string) => `Made without AI by ${name}, as its record states`,
  aiCorrected: 'A later entry corrects the entry that states this use of AI',
  corrects: (number: number) => `Corrects entry ${number}`,
  correctedBy: (number: number) => `Corrected later by entry ${number}`,
  notSources: (level: string) => `${level} for this file, but not for its sources`,
  others: (count: number) => (count === 1 ? '1 other' : `${count} others`),
  fromWork: (names: string) => `from work by ${names}`,
  genericBy: (kind: string, makers: string) => `Origin of ${kind} (${makers})`,
  namedAi: (name: string) => `the AI ${name}`,
  unknown: 'somebody',
  steps: (count: number) => (count === 1 ? '1 recorded step.' : `${count} recorded steps.`),
  history: 'What happened, step by step',
  people: 'Who took part',
  facts: 'In short',
  kind: 'Kind',
  license: 'Licence',
  published: 'Published',
  expires: 'Readable until',
  cid: 'Content id',
  markedCopy: 'made a marked copy:',
  markedForMaker: 'Marked copy:',
  thisContent: 'this content',
  content: (cid: string) => `another file (…${cid.slice(-6)})`,
  more: (count: number) => `and ${count} more`,
  moreSteps: (count: number) =>
    `This page leaves out ${count === 1 ? 'the last step' : `the last ${count} steps`}, because it would become too long. The data of this page has all steps.`,
  from: 'from',
  using: (tool: string) => `with ${tool}`,
  signed: 'signed by the performer',
  pseudonym: (kind: string, ref: string) => `${kind} under the pseudonym ${ref}`,
  unnamed: (kind: string, ref: string) => `${kind} without a name (${ref})`,
  withheld: (kinds: string) =>
    `This link leaves out: ${kinds}. It does not show whether the records contain such data.`,
  hidden: (count: number) =>
    count === 1
      ? 'One participant is shown under a pseudonym.'
      : `${count} participants are shown under pseudonyms.`,
  cut: 'Only a part of the history is shown.',
  check: 'This page lists records and does not check them. With JavaScript, your browser checks the proof.',
  statements: (names: string) =>
    `The records are statements of ${names === '' ? 'the people who took part' : names}. Nobody checked whether they are true.`,
  data: 'The data of this page as JSON',
} as const;
