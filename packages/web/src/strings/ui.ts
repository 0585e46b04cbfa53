import { textsOf } from '../languages/texts.js';

export const ui = textsOf('ui', {
  close: 'Close',
  copyShort: 'Copy',
  copied: 'Copied',
  notCopied: 'Select the text to copy it',
  copy: (what: string) => `Copy ${what}`,
  inRecord: 'Its record states this.',
  inManifest: 'Its Content Credentials state this.',
});
