import { expect, it } from 'vitest';
import { createKeptFiles } from '../src/shell/kept-files.js';

it('the page keeps the last 20 files by content id', () => {
  const kept = createKeptFiles();
  const files = Array.from({ length: 21 }, (_, at) => new File([], `${at}`));
  for (const [at, file] of files.slice(0, 20).entries()) kept.keep(`${at}`, file);
  kept.keep('0', files[0] ?? new File([], ''));
  kept.keep('20', files[20] ?? new File([], ''));
  expect([kept.get('0')?.name, kept.get('1'), kept.get('20')?.name]).toEqual(['0', undefined, '20']);
});
