import { counter } from '../languages/counter.js';
import { textsOf } from '../languages/texts.js';

const files = counter('en', { one: 'file', other: 'files' });
const otherFiles = counter('en', { one: 'other file', other: 'other files' });

export const history = textsOf('history', {
  did: {
    create: (what: string) => `made ${what}`,
    reference: (what: string) => `imported ${what}`,
    generate: (what: string) => `generated ${what} with AI`,
    aggregate: (what: string) => `put ${what} together`,
    verify: (what: string) => `checked ${what}`,
  },
  edited: (what: string, sources: number) =>
    sources === 0
      ? `edited ${what}`
      : sources === 1
        ? `edited another file into ${what}`
        : `edited ${otherFiles(sources)} into ${what}`,
  marked: (what: string) => `made ${what} as a marked copy of another file`,
  /** For a marked copy whose maker the loaded records do not show. */
  markedCopy: (what: string) => `${what} is a marked copy of another file`,
  /** `who`: the makers of the file. `marker`: empty if a maker marked the copy. */
  markedCopyOf: (what: string, who: string, marker: string) =>
    `${what} by ${who} is a marked copy${marker && ` by ${marker}`}`,
  other: (what: string, type: string) => `performed a custom action on ${what} (${type})`,
  thisFile: 'this file',
  recordedFile: 'the recorded file',
  file: (end: string) => `the file …${end}`,
  titled: (title: string) => `“${title}”`,
  untitled: (reason: string) => `The titles of files could not be read: ${reason}`,
  files,
  tool: (tool: string) => `(${tool})`,
  withTool: (tool: string) => `with AI (${tool})`,
  from: (count: number) => (count === 1 ? 'from another file' : `from ${otherFiles(count)}`),
  /** `corrects` labels the correction. */
  corrected: 'Corrected by a later entry',
  correctedShort: 'Outdated',
  corrects: 'Corrects an earlier entry',
  somebody: (id: string) => `somebody with the id ${id}`,
});
