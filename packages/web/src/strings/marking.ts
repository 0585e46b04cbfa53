import { textsOf } from '../languages/texts.js';

export const marking = textsOf('marking', {
  open: 'Make a marked copy …',
  title: 'Make a marked copy',
  means:
    'A marked copy is a copy of the file with a signed statement that AI was used and, if the format permits, an invisible watermark. The original file stays unchanged.',
  statement: 'Statement about AI',
  statementHint: (generated: string, assisted: string) =>
    `Choose “${generated}” if AI made the content. Choose “${assisted}” if AI changed content that it did not make.`,
  by: (name: string) =>
    `The record of the copy names ${name} as the person who marked it. The credit stays with the makers of the file.`,
  sourcesOnly: (level: string) =>
    `AI was used only for the sources of this file. To label the file, publish it: its public page and its label say “${level}”. The page makes no marked copy of this file, because marks state that AI made or changed the file itself.`,
  sourcesShort:
    'The page makes no marked copy, because AI was used only for the sources of this file. To label the file, publish it.',
  unstated: 'No AI is recorded. If AI was used, correct the entry; then you can make a marked copy.',
  make: 'Make the marked copy',
  working: 'The service makes the marked copy …',
  unsupported:
    'The service cannot put marks into a file of this format. It made no copy. The file and its record stay unchanged.',
  done: 'The marked copy is ready.',
  doneMeans:
    'It is a new file in your project, and the original is its source. Share the marked copy, and not the original.',
  layers: {
    manifest: 'Signed statement in the file',
    fingerprint: 'Fingerprint, with which search finds altered copies',
    log: 'Entry in the log of the service',
    watermark: 'Invisible watermark',
  },
  states: { added: 'done', pending: 'in progress', unavailable: 'not possible' },
  pending: 'The service finishes this in the background. You can close this dialog.',
  signer: (name: string) => `The statement is signed by ${name}.`,
  signerUnnamed: 'The signer of the statement has no name.',
  unverified: 'This signer is not on a trust list. Readers of the file will see “not verified”.',
  certificates: 'Certificates of this project',
  download: 'Download the marked copy',
  history: 'See the history of the copy',
});
