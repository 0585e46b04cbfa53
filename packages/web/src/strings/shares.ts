import { counter } from '../languages/counter.js';
import { textsOf } from '../languages/texts.js';

const moreSteps = counter('en', { one: 'more step', other: 'more steps' });

export const shares = textsOf('shares', {
  title: 'Credit split',
  titleInMenu: 'Credit split',
  of: (name: string) => `Credit split: ${name}`,
  lead: 'How the credit for a file is split among the people of its recorded history. This page only calculates: it stores nothing, and pays nobody.',
  start: {
    field: 'Content id',
    hint: 'Check a file to learn its content id.',
    open: 'Show its credit split',
    wrong: 'This is not a content id. A content id begins with baf, Qm or sha256:.',
  },
  policy: 'Who counts',
  policies: {
    direct: 'Only those who made this very content',
    parents: 'Also those who made its sources',
    'all-ancestors': 'Everybody in its whole history',
  },
  decay: 'Weight of a source, relative to the content that was made from it',
  decays: { '1/4': 'a quarter', '1/2': 'half', '3/4': 'three quarters', '1': 'the same' },
  decayMeans: (own: string, source: string) =>
    `Example: the maker of the content gets ${own}, and the maker of its only source gets ${source}.`,
  bar: (description: string) => `Bar of the credit split: ${description}`,
  percent: (value: string) => `${value} %`,
  table: {
    caption: 'The shares, the largest first',
    who: 'Who',
    share: 'Share',
    why: 'For what',
    wallet: 'Wallet for payments',
  },
  hasWallet: 'recorded',
  noWallet: 'not recorded',
  noWallets: 'No wallet of these people is recorded, so programs cannot pay their shares.',
  nothing: 'no credit with a weight',
  /** The texts about a person who made no step of the content. */
  credited: {
    creator: (name: string, what: string) => `${name} is named as a maker of ${what}`,
    contributor: (name: string, what: string) => `${name} contributed to ${what}`,
    other: (name: string, what: string) => `${name} is credited for ${what}`,
  },
  moreSteps: (count: number) => `and ${moreSteps(count)}`,
  way: 'Path',
  itself: 'this content',
  content: (end: string) => `content …${end}`,
  nobody: 'Nobody is credited for this content, so there is nothing to share out.',
  unmade: (count: number) =>
    count === 1
      ? `The maker of ${count} source file is not recorded, so nobody has a share for it.`
      : `The makers of ${count} source files are not recorded, so nobody has a share for them.`,
  partial: 'The shares are not final: only a part of the recorded history was counted.',
  byDefault:
    'For some files, no record says how much each maker did. The makers of such a file get equal parts.',
  toHistory: 'See its history',
  loading: 'Computing the shares …',
});
