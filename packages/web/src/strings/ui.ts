import { textsOf } from '../languages/texts.js';

/** Texts of the components that several views share. */
export const ui = textsOf('ui', {
  close: 'Close',
  copyShort: 'Copy',
  copied: 'Copied',
  notCopied: 'Select the text to copy it',
  copy: (what: string) => `Copy ${what}`,
  /** The page shows one of these texts beside an AI label. They name the source of the statement. */
  inRecord: 'Its record states this.',
  inManifest: 'Its Content Credentials state this.',
});
