import { counter } from '../languages/counter.js';
import { textsOf } from '../languages/texts.js';

const things = counter('en', { one: 'thing', other: 'things' });
const steps = counter('en', { one: 'step', other: 'steps' });
const files = counter('en', { one: 'file', other: 'files' });
const makers = counter('en', { one: 'maker', other: 'makers' });

export const explore = textsOf('explore', {
  title: 'Explore',
  actionTypes: {
    create: 'Created',
    reference: 'Imported',
    generate: 'Generated',
    transform: 'Edited',
    aggregate: 'Combined',
    verify: 'Checked',
  } as Record<string, string>,
  resourceTypes: {
    image: 'Image',
    text: 'Text',
    audio: 'Sound',
    video: 'Video',
    code: 'Code',
    dataset: 'Data set',
    model: 'Model',
    other: 'File',
  } as Record<string, string>,
  roles: { human: 'Person', ai: 'AI', organization: 'Organisation' } as Record<string, string>,
  tool: 'Tool',
  referenced: 'imported',
  by: (name: string) => `by ${name}`,
  withTool: (name: string) => `with ${name}`,
  reading: 'Reading the history …',
  drawing: 'Drawing the picture …',
  start: {
    why: 'See as a picture how a file was made: from which files, by whom and with which tools.',
    field: 'Content id of a file',
    hint: 'It begins with baf, Qm or sha256:. “Check a file” shows the content id of your file.',
    wrong: 'This is not a content id.',
    open: 'Show its history',
    newest: 'Newest in this project',
    none: 'Nothing is recorded in this project yet.',
    another: 'Choose another file',
    shares: 'View credit split',
  },

  direction: {
    label: 'Show',
    ancestors: 'What it was made from',
    descendants: 'What was made from it',
    both: 'Both',
  },
  partial: (actions: number) => `This is a part of the history: the ${actions} nearest steps.`,
  partialAll:
    'The history is longer than the service returns at once. To see more, open the history of a file at the edge of the picture.',
  more: 'Show more',
  search: 'Search',
  found: (count: number, at: number) =>
    count === 0 ? 'Nothing found' : at === 0 ? `${count} found` : `${at} of ${count} found`,
  next: 'Next',
  filters: {
    title: 'Filter',
    entity: 'By whom',
    everybody: 'Everybody',
    tool: 'With which tool',
    anyTool: 'With or without a tool',
    type: 'What was done',
    anyType: 'Anything',
    hideRest: 'Show matches only',
    matches: (count: number) =>
      count === 0 ? 'Nothing matches the filter.' : `${things(count)} match the filter.`,
  },
  fold: {
    label: 'Depth',
    all: 'All',
    within: (steps: number) => `The nearest ${steps}`,
    fold: 'Fold the steps behind it',
    unfold: 'Unfold the steps behind it',
  },
  picture: {
    label: 'Picture of the history',
    keys: 'Arrow keys move to the next card, plus and minus zoom, 0 shows all. The list below the picture has the same entries.',
    size: (nodes: number) => `${things(nodes)} in the picture.`,
    order: 'Sources are on the left, results on the right. Choose one to see its record.',
    fit: 'Show all',
    nearer: 'Zoom in',
    farther: 'Zoom out',
  },
  save: {
    title: 'Save',
    png: 'Picture (PNG)',
    svg: 'Drawing (SVG)',
    prov: 'Data (PROV-JSON)',
    tooLarge: 'This picture is too large for this browser. Save the drawing instead.',
  },
  details: {
    label: 'Record',
    title: {
      give: 'Give it a title',
      change: 'Change its title',
      label: 'Title',
      hint: 'Only your project sees it, unless a publication shows titles. Leave it empty for no title.',
      save: 'Save the title',
    },
    close: 'Close',
    explore: 'Show its own history',
    correct: 'Correct an entry',
    id: 'Content id',
    actionId: 'Record id',
    entityId: 'Id',
    when: 'When',
    by: 'By',
    tool: 'Tool',
    note: 'Note',
    prompt: 'Prompt',
    license: 'Licence',
    used: 'Made from',
    made: 'Result',
    didHere: 'In this picture',
    media: 'Format',
    size: 'Size',
    state: 'Origin',
    states: {
      claimed: 'Somebody claims to have made it.',
      made: 'A recorded step made it.',
      referenced: 'Imported; original author unknown.',
      none: 'Only its id is recorded, not its maker.',
    },
    credited: 'Credited',
    further: (count: number) => `and ${count} more`,
    all: 'The whole record',
    noRecord: 'There are no further details.',
  },
  markedCopy: (level: string) => `Marked copy · ${level}`,
  /** `who`: the makers of the original; empty if unknown. */
  markedBy: (who: string, marker: string) => `${who && `by ${who}, `}marked by ${marker}`,
  correction: {
    title: 'Correct an entry',
    titleOf: (name: string) => `Correct an entry: ${name}`,
    /** `entry`: such as `Edited by Ann`. */
    ofEntry: (entry: string) => `Correct: ${entry}`,
    inPicture: 'To correct an earlier entry, choose it in the picture.',
    lead: 'Change what is wrong. Both entries stay in the history with their dates.',
    quoted: (sentence: string, date: string) => `You correct this entry of ${date}: “${sentence}.”`,
    unread: (reason: string) => `The page could not read the entry to correct: ${reason}`,
    outdated:
      'Somebody has corrected this entry since you opened this form. A second correction would not count, so the page did not save yours.',
    openLast: 'Open the last correction, and correct that one',
    fact: 'Correction',
    of: (date: string) => `Corrects the entry of ${date}`,
    ofOther: 'Corrects another entry',
  },
  proof: {
    title: 'Proof',
    checking: 'Your browser is checking the proof …',
    holds: 'Recorded and unchanged.',
    why: 'The record is in the append-only log of this project. Your browser checked the receipt.',
    ofMaking: 'This is the receipt of the first step that recorded the content.',
    fails: 'The receipt is not valid.',
    noReceipt: 'This entry has no receipt: only steps and people have receipts.',
    anchored: (network: string) =>
      `The root of the receipt is anchored on the chain ${network}. This page did not read the chain.`,
    shows: 'Limits of this proof',
    limits:
      'The receipt proves that the log contains exactly this record. It does not prove that the record is true. The key of the log came from this service too: compare it with a copy from another source, and store it.',
    key: 'Key of the log',
    place: (index: number, size: number) => `Record ${index + 1} of ${size} in the log.`,
    save: 'Save the receipt',
  },
  list: {
    title: 'As a list',
    steps: (from: number, to: number, count: number) =>
      count === 0 ? 'There are no steps.' : `Steps ${from} to ${to} of ${count}, oldest first`,
    earlier: 'Earlier steps',
    later: 'Later steps',
    used: 'from',
    made: 'result',
  },
  groups: {
    steps: (count: number, type: string | undefined) =>
      type === undefined ? steps(count) : `${type}: ${steps(count)}`,
    files: (count: number) => files(count),
    sameUse: 'used by the same steps',
    makers: (count: number) => `by ${makers(count)}`,
    use: 'Group similar steps',
    open: 'Open this group',
    closeAll: 'Close all groups',
    shown: (count: number) =>
      count === 1
        ? 'One card is a group: choose it to open it.'
        : `${count} cards are groups: choose one to open it.`,
    period: 'Period',
  },
  filtersInUse: (count: number) => (count === 0 ? 'Filter' : `Filter (${count})`),
  zoomKeys: 'Ctrl and the wheel zoom too.',
  ai: 'AI',
});
