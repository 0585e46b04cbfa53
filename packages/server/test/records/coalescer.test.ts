import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/errors.js';
import { DatabaseError } from '../../src/platform/db/database.js';
import { createCoalescer } from '../../src/records/write/coalescer.js';

const LIMITS = { maxItems: 4, maxCharacters: 1000 };
const refused = (sqlState: string) => new DatabaseError('refused', { sqlState });

function createEcho(answer: (items: readonly string[]) => void = () => {}) {
  const batches: string[][] = [];
  const run = async (key: string, items: readonly string[]) => {
    batches.push([key, ...items]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    answer(items);
    return items.map((item) => JSON.parse(item));
  };
  return { batches, run };
}

describe('a coalescer', () => {
  it('sends items that arrive during a call as one batch, in order, each with its own result', async () => {
    const { batches, run } = createEcho();
    const record = createCoalescer(run, LIMITS);
    const results = await Promise.all([1, 2, 3].map((item) => record('p', item)));
    expect(results).toEqual([1, 2, 3]);
    expect(batches).toEqual([
      ['p', '1'],
      ['p', '2', '3'],
    ]);
  });

  it('never mixes two keys in a batch', async () => {
    const { batches, run } = createEcho();
    const record = createCoalescer(run, LIMITS);
    await Promise.all(['p', 'q', 'p', 'q'].map((key, item) => record(key, item)));
    expect(batches.map(([key]) => key).sort()).toEqual(['p', 'p', 'q', 'q']);
  });

  it('keeps a batch within its limits, and sends a larger item alone', async () => {
    const { batches, run } = createEcho();
    const record = createCoalescer(run, LIMITS);
    const large = 'x'.repeat(2000);
    await Promise.all([0, 1, 2, 3, 4, 5, large, 6].map((item) => record('p', item)));
    expect(batches.map((batch) => batch.length - 1)).toEqual([1, 4, 1, 1, 1]);
  });

  it('rejects only the invalid item of a batch', async () => {
    const { run } = createEcho((items) => {
      if (items.includes('"bad"')) throw refused('23514');
    });
    const record = createCoalescer(run, LIMITS);
    const settled = await Promise.allSettled(['a', 'b', 'bad', 'c'].map((item) => record('p', item)));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });

  it('splits a batch that is too large, and rejects only an item that is too large alone', async () => {
    const { batches, run } = createEcho((items) => {
      if (items.join('').length > 4) throw new ServiceError('PayloadTooLarge', 'too large');
    });
    const record = createCoalescer(run, LIMITS);
    const settled = await Promise.allSettled(['a', 'b', 'large', 'c'].map((item) => record('p', item)));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(batches).toHaveLength(5);
  });

  it('retries a transaction that the database rolled back because of a deadlock', async () => {
    let failures = 2;
    const { batches, run } = createEcho(() => {
      if (failures-- > 0) throw refused('40P01');
    });
    expect(await createCoalescer(run, LIMITS)('p', 1)).toBe(1);
    expect(batches).toHaveLength(3);
  });

  it('reports an outage to every waiting caller and works again afterwards', async () => {
    let down = true;
    const { run } = createEcho(() => {
      if (down) throw new Error('unreachable');
    });
    const record = createCoalescer(run, LIMITS);
    const settled = await Promise.allSettled([1, 2, 3].map((item) => record('p', item)));
    expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
    down = false;
    expect(await record('p', 4)).toBe(4);
  });
});
