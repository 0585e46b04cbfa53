import { describe, expect, it } from 'vitest';
import { LARGE_BATCH, toBatchKind } from '../../src/records/write/batch-kind.js';

describe('a batch', () => {
  it('up to the limits waits in the queue of batches', () => {
    expect(toBatchKind(LARGE_BATCH)).toBe('batch');
  });

  it.each(Object.keys(LARGE_BATCH) as (keyof typeof LARGE_BATCH)[])(
    'above the limit of %s waits in the queue of large batches',
    (measure) => {
      expect(toBatchKind({ ...LARGE_BATCH, [measure]: LARGE_BATCH[measure] + 1 })).toBe('bulk');
    },
  );
});
