import type { Bundle } from '@colophon/model';
import { expect, it } from 'vitest';
import { contentsOf } from '../src/shell/contents-of.js';

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
