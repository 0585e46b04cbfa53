import { textsOf } from '../languages/texts.js';

/** Texts of the components that several views share. */
export const ui = textsOf('ui', {
  close: 'Close',
  copyShort: 'Copy',
  copied: 'Copied',
  notCopied: 'Select the text to copy it',
  copy: (what: string) => `Copy ${what}`,
  /** Beside the words of a level with AI. */
  inRecord: 'Its record states this.',
  inManifest: 'Its Content Credentials state this.',
});
