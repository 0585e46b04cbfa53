/** Texts of "Check a file". */
export const check = {
  title: 'Check a file',
  drop: 'Drop a file here, or choose one',
  stays: 'It is examined in your browser. Nothing of it is sent unless you ask for that.',
  hashing: 'Reading the file in your browser',
  known: 'This very file is recorded here.',
  notKnown: 'This file is not recorded here.',
  needsKey: 'Enter the key of your project to see whether this file is recorded there.',
} as const;
