import type { Bundle } from '@colophon/model';
import { expect, it } from 'vitest';
import { contentsOf } from '../src/shell/contents-of.js';
import { nameNewest } from '../src/shell/short-labels.js';
import { actionOf } from './support/histories.js';

it('contentsOf lists the content of the bundle, then those of actions, newest first, then other resources', () => {
  const actions = [
    { timestamp: '2026-01-01T00:00:00.000Z', inputCids: ['only-an-input'], outputCids: ['old'] },
    { timestamp: '2026-01-02T00:00:00.000Z', inputCids: ['alias-of-old'], outputCids: ['new', 'subject'] },
  ];
  const bundle = {
    cid: 'subject',
    aliases: { 'alias-of-old': 'old' },
    actions,
    resources: [{ cid: 'old' }, { cid: 'claimed' }],
  } as unknown as Bundle;
  expect(contentsOf(bundle)).toEqual(['subject', 'new', 'old', 'only-an-input', 'claimed']);
});

it('nameNewest names a marked copy and a correction, and any other action by its type', () => {
  const files = { inputCids: ['photo'], outputCids: ['copy'] };
  const mark = { aiDisclosure: 'ai_generated', generator: { name: 'painter-2' }, markedCid: 'photo' };
  const marking = actionOf('a', 1, { ...files, extensions: { 'ext:mark@1.0.0': mark } });
  const correction = { 'ext:correction@1.0.0': { actionId: 'b' } };
  expect(nameNewest(marking, 'dawn.png')).toBe('Marked copy: dawn.png');
  expect(nameNewest(actionOf('c', 2, { ...files, extensions: correction }), 'dawn.png')).toBe(
    'Correction: dawn.png',
  );
  expect(nameNewest(actionOf('d', 3, files), 'dawn.png')).toBe('Edited dawn.png');
});
