import { textsOf } from '../languages/texts.js';

export const publish = textsOf('publish', {
  open: 'Publish …',
  readOnly: {
    title: (project: string) => `You can only read in the project ${project}`,
    why: (org: string, role: string) => `Your role in ${org} is ${role}.`,
    ask: (role: string, names: string) =>
      `To record or publish, ask one of these members for the role ${role}: ${names}.`,
  },
  title: 'Publish this history',
  why: 'Everybody with the link can read it without a key. You can end the publication at any time.',
  heading: 'Headline of the public page (optional)',
  headingHint:
    'Without a headline, the page has a general one, such as “Origin of a picture (Ann)”. The headline changes no title of a file.',
  useTitle: (title: string) => `Use the title of the file as the headline: “${title}”`,
  people: 'People',
  peopleAs: {
    names: 'with their names',
    none: 'without their names',
    pseudonyms: 'only under pseudonyms, without any data about them',
  },
  show: 'Show on the public page',
  things: {
    wallets: 'Payment addresses of people (wallets)',
    metadata: 'Other data about people',
    notes: 'Notes',
    prompts: 'Prompts',
    tools: 'AI tools that were used, and therefore the fact that AI was used',
    details:
      'Other data, such as session ids or the person who grants a licence. It can repeat the data of the other boxes. So it appears only if you also show names and all data of people and steps.',
  },
  otherData: (names: string) => `Other data of this history: ${names}. You can only show all of it together.`,
  noOtherData: 'This history has no other data.',
  sessionIds: 'session ids',
  withoutAi:
    'The page and the label will say that the use of AI is not disclosed, unless a step or a person is recorded as AI.',
  titles:
    'Titles of files, as in your library. They can be file names, and can name people. Titles of later uploads appear too.',
  license: 'Licence, with its terms and its web address',
  licenses: {
    own: (names: string) =>
      `This file has the licence ${names}. The box is ticked at first, because readers must know the licence to use the file. Licences of sources appear too.`,
    others: (names: string) =>
      `The makers of this file recorded no licence for it, but its history has the licence ${names}. The box is ticked at first, so that readers can verify the history.`,
    none: 'This history has no licence. If you tick the box, a licence that somebody records later appears.',
    partly:
      'A licence appears without the person who grants it and without its attribution text. Its name and its web address appear as they are recorded.',
    whole:
      'You show all data, so each licence appears with all its data, also a licence that somebody records later.',
  },
  unverifiable: 'Readers cannot verify this history. They have to trust this service.',
  unknown: 'It is not known whether readers can verify this history.',
  because: {
    hiddenEntities: 'People appear only under pseudonyms.',
    names: 'Names are left out, but the ids of people can reveal them.',
    wallets: 'Payment addresses are left out, but the ids of people contain them.',
    tools: 'AI tools are left out.',
    license: 'The licence is left out.',
    details: 'Other data, such as session ids or the person who grants a licence, is left out.',
  },
  withoutLicense: (license: string) => `The licence is left out: ${license}`,
  showLicense: 'Show the licence',
  until: 'Readable',
  lives: [
    [0, 'until you end it'],
    [1, 'for a day'],
    [30, 'for 30 days'],
    [365, 'for a year'],
  ],
  replaced: (names: string) =>
    `Corrected entries stay on the public page, marked as corrected, with the names that they had: ${names}. To leave these names out, leave out all names or choose pseudonyms.`,
  unmarked:
    'This service has not marked this file, which was made or changed with AI. Make a marked copy, and publish the copy instead.',
  hasMarkedCopy:
    'This file was made or changed with AI and has no marks. It has a marked copy. Publish the copy instead:',
  notFindable: {
    off: (names: string) =>
      `Off in this project: ${names}. If you turn them on, people who have only the file can find its published history. The link works without them.`,
    unpublished: 'Public checks also answer for recorded files that you did not publish.',
    detector: 'public detector',
    checks: 'public checks',
    turnOn: 'Turn on in the settings',
  },
  submit: 'Publish',
  working: 'Publishing …',
  done: 'It is published.',
  link: 'Link',
  code: 'For your own site',
  existing: 'Published already',
  existingWhy: 'The form creates one more link. The present link stays.',
  existingMore: (count: number) => `More links to this history: ${count}`,
  untitled: 'Without a headline',
  ends: (day: string) => `until ${day}`,
  views: (count: number) =>
    count === 0 ? 'no views yet' : count === 1 ? '1 view so far' : `${count} views so far`,
  view: 'View',
  end: 'End',
  endTitle: 'End this link?',
  endWhy:
    'If you end the link, nobody can read the page under it any more. For one minute, you can undo this.',
  endSites:
    'If somebody opens or reloads a page of another site more than 30 seconds after the link has ended, the page has no badge. An AI label that somebody copied into these sites as HTML will stay.',
  endNow: 'End the link',
  keep: 'Keep it',
  ended: 'The link has ended.',
  undo: 'Undo',
  undoWhy: 'This is possible for one minute. The link stays the same.',
  since: (day: string) => `published on ${day}`,
  endedOn: (day: string) => `ended on ${day}`,
  expired: (day: string) => `expired on ${day}`,
  forever: 'without an end date',
  shows: (things: string) => `Shows: ${things}`,
  showsSteps: 'Shows only the steps',
  parts: {
    pseudonyms: 'people under pseudonyms',
    somePseudonyms: 'some people under pseudonyms',
    titles: 'titles of files',
    picture: 'the picture',
    license: 'the licence',
  },
  all: 'All published links of this project',
  allTitle: 'Published links',
  allInMenu: 'Published links',
  allWhy: 'Everybody who has one of these links can read the history of a file, without a key.',
  none: 'This project has no published links.',
  noneHow: 'Open the history of a file and choose “Publish …”.',
  toExplore: 'Choose a file',
  toHistory: (title: string | undefined, cid: string) =>
    title === undefined ? `History of content ${cid.slice(0, 8)}…${cid.slice(-6)}` : `History of “${title}”`,
  more: 'Show more',
  picture: 'The picture: a smaller copy without its metadata, such as the place of a photo',
});
