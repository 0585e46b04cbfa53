import { expect, it } from 'vitest';
import type { OpenAnchor } from '../../src/anchors/anchors.sql.js';
import { createPollBackoff } from '../../src/anchors/poll-backoff.js';

const anchor = (state: OpenAnchor['state']): OpenAnchor => ({
  id: 'a',
  rootHex: '00',
  size: 1,
  state,
  blockNumber: null,
  blockHash: null,
  transactions: [],
});

/** The numbers of the polls that query a chain. */
function polledAt(count: number, { hurries = 0 } = {}): number[] {
  let now = 0;
  const backoff = createPollBackoff(1000, () => now);
  backoff.hurry(hurries);
  const asked: number[] = [];
  for (let poll = 0; poll < count; poll++, now += 1000) {
    if (!backoff.isDue([anchor('submitted')])) continue;
    asked.push(poll);
    backoff.noteAsked([anchor('submitted')]);
  }
  return asked;
}

it('the service queries an idle chain less and less often, down to every eighth poll', () => {
  expect(polledAt(40)).toEqual([0, 1, 3, 7, 15, 23, 31, 39]);
});

it('the chain is read at every poll while a caller waits', () => {
  expect(polledAt(10, { hurries: 9_500 })).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('the service reads the chain at once after a new anchor or state, and at the next poll', () => {
  let now = 0;
  const backoff = createPollBackoff(1000, () => now);
  for (let poll = 0; poll < 5; poll++) backoff.noteAsked([anchor('submitted')]);
  expect(backoff.isDue([anchor('submitted')])).toBe(false);
  expect(backoff.isDue([anchor('confirmed')])).toBe(true);
  backoff.noteAsked([anchor('confirmed')]);
  now = 999;
  expect(backoff.isDue([anchor('confirmed')])).toBe(false);
  now = 1000;
  expect(backoff.isDue([anchor('confirmed')])).toBe(true);
  expect(backoff.isDue([anchor('confirmed'), anchor('pending')])).toBe(true);
});
