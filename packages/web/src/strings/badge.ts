/** Texts of the badge beyond those of the facts. */
export const badge = {
  label: 'Provenance of this picture',
  more: 'See the whole history',
  opens: '(opens in a new tab)',
  comparing: 'Comparing the picture with what was published …',
  same: 'This is exactly the file whose history this is.',
  other: 'This is not exactly that file: it may have been resized or altered since.',
  unknown: 'Whether this is exactly that file cannot be checked from this page.',
} as const;
