/** Texts of the components that every story uses. */
export const ui = {
  close: 'Close',
  copyShort: 'Copy',
  copied: 'Copied',
  notCopied: 'Select the text to copy it',
  copy: (what: string) => `Copy ${what}`,
} as const;
