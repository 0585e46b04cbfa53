import { textsOf } from '../languages/texts.js';

/** Texts for actions in every view of a history. */
export const history = textsOf('history', {
  did: {
    create: (what: string) => `made ${what}`,
    reference: (what: string) => `imported ${what} from elsewhere`,
    generate: (what: string) => `made ${what} with AI`,
    transform: (what: string) => `made ${what} by changing something`,
    aggregate: (what: string) => `put ${what} together`,
    verify: (what: string) => `checked ${what}`,
  },
  other: (what: string, type: string) => `performed a custom action on ${what} (${type})`,
  thisFile: 'this file',
  recordedFile: 'the recorded file',
  file: (end: string) => `the file …${end}`,
  titled: (title: string) => `“${title}”`,
  untitled: (reason: string) => `The titles of files could not be read: ${reason}`,
  files: (count: number) => `${count} files`,
  tool: (tool: string) => `(${tool})`,
  withTool: (tool: string) => `with AI (${tool})`,
  from: (count: number) => (count === 1 ? 'from another file' : `from ${count} other files`),
  somebody: (id: string) => `somebody called ${id}`,
});
