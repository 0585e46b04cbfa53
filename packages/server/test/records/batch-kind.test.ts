import { describe, expect, it } from 'vitest';
import { LARGE_BATCH, toBatchKind } from '../../src/records/write/batch-kind.js';

describe('the queue of a batch', () => {
  it('is the queue of batches up to the limits', () => {
    expect(toBatchKind(LARGE_BATCH)).toBe('batch');
  });

  it.each(Object.keys(LARGE_BATCH) as (keyof typeof LARGE_BATCH)[])(
    'is the queue of large batches above the limit of %s',
    (measure) => {
      expect(toBatchKind({ ...LARGE_BATCH, [measure]: LARGE_BATCH[measure] + 1 })).toBe('bulk');
    },
  );
});
