import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Databases } from '../../src/platform/db/open-databases.js';
import type { Scheduler, Turn } from '../../src/platform/work/scheduler.js';
import type { RecordItem } from '../../src/records/draft/record-item.js';
import { createRecorder } from '../../src/records/write/recorder.js';
import { record, recordFresh } from '../../src/records/write/recording.sql.js';
import { openOn } from '../support/open-on.js';
import { recordItems, toActionItem, toEntityItem } from '../support/plain-items.js';
import { oneOrAll } from '../support/service.js';

/** The maximum number of links that `refuse_cycle` follows in one walk. */
const WALK = 10_000;
/** After this number of links in a transaction, `refuse_cycle` begins no further walk. */
const TOGETHER = 40_000;
/** Four walks of growing length in each of two directions. */
const CHECK = 2 * (10 + 100 + 1_000 + WALK);

let drawn = 0;
const draw = () => `content ${++drawn}`;
const draws = (count: number) => Array.from({ length: count }, draw);

describe.each(oneOrAll(['PGlite', 'PostgreSQL']))('the search for cycles, on %s', (engine) => {
  let databases: Databases;
  let project: string;

  beforeAll(async () => {
    databases = await openOn(engine);
    project = randomUUID();
    await recordItems(databases.provenance, project, [toEntityItem({ id: 'ann', role: 'human' })]);
  });
  afterAll(() => databases.close());

  const toItem = (inputCids: string[], outputCids: string[]) =>
    toActionItem({ id: randomUUID(), performedBy: 'ann', inputCids, outputCids });
  const recordAll = (items: readonly object[]) => recordItems(databases.provenance, project, items);

  /** Returns the contents from the first to the last. */
  async function chain(length: number): Promise<string[]> {
    const cids = draws(length + 1);
    await recordAll(cids.slice(1).map((cid, place) => toItem([cids[place] as string], [cid])));
    return cids;
  }

  /** The actions themselves do not exist. */
  async function addActions(table: 'action_input' | 'action_output', cid: string, count: number) {
    await databases.provenance.query(
      `insert into provenance.${table} (project_id, cid, action_id)
       select $1, $2, gen_random_uuid() from generate_series(1, $3::int)`,
      [project, cid, count],
    );
  }

  /** Returns the outcomes and the number of links that the checks followed. */
  async function watch(items: readonly object[]) {
    const texts = items.map((item) => JSON.stringify(item));
    return databases.provenance.transaction(async (tx) => {
      const outcomes = await record(tx, project, texts);
      const [row] = await tx.query<{ links: number }>(
        `select coalesce(nullif(current_setting('provenance.followed_links', true), ''), '0')::int as links`,
      );
      return { outcomes, links: row?.links ?? Number.NaN };
    });
  }
  const watchOne = async (inputs: string[], outputs: string[]) => {
    const { outcomes, links } = await watch([toItem(inputs, outputs)]);
    return { outcome: outcomes[0], links };
  };

  /** Includes the pages that inner functions visit. */
  async function countPages(inputs: string[], outputs: string[]): Promise<number> {
    const [row] = await databases.provenance.query<Record<string, [{ Plan: Record<string, number> }]>>(
      `explain (analyze, buffers, timing off, format json) select provenance.refuse_cycle($1, $2, $3)`,
      [project, inputs, outputs],
    );
    const { Plan: plan } = row?.['QUERY PLAN']?.[0] ?? {};
    return (plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? Number.NaN);
  }

  it('finds a cycle, whichever side is short', async () => {
    const [short, long] = [await chain(3), await chain(3_000)];
    await recordAll([toItem([short.at(-1) as string], [long[0] as string])]);
    const [first, last] = [short[0] as string, long.at(-1) as string];
    expect(await watchOne([last], [first])).toMatchObject({ outcome: { outcome: 'cycle' } });
    expect(await watchOne([long[1] as string], [first])).toMatchObject({ outcome: { outcome: 'cycle' } });
    const late = await watchOne([last], [long.at(-2) as string]);
    expect(late.outcome).toEqual({ outcome: 'cycle' });
    expect(late.links).toBeLessThan(300);
  });

  it('records an action after a long history if few actions have used its output', async () => {
    const [history, used] = [await chain(3_000), draw()];
    await recordAll([toItem([used], [draw()])]);
    const { outcome, links } = await watchOne([history.at(-1) as string], [used]);
    expect(outcome).toMatchObject({ outcome: 'recorded' });
    expect(links).toBeLessThan(300);
  });

  it('refuses an action only if both histories reach the limit', async () => {
    const [tip, shorter, root, descendant] = [draw(), draw(), draw(), draw()];
    await addActions('action_output', tip, WALK);
    await addActions('action_output', shorter, WALK - 1);
    await recordAll([toItem([root], [descendant])]);
    await addActions('action_input', root, WALK);
    const refused = await watchOne([tip], [root]);
    expect(refused.outcome).toEqual({ outcome: 'cycle', unchecked: 'history' });
    expect(refused.links).toBe(CHECK);
    expect((await watchOne([shorter], [root])).outcome).toMatchObject({ outcome: 'recorded' });
    expect((await watchOne([descendant], [root])).outcome).toEqual({ outcome: 'cycle' });
  });

  it('reads few index pages when very many actions have used an output', async () => {
    const [popular, made] = [draw(), draw()];
    await recordAll([toItem([], [made])]);
    await addActions('action_input', popular, 3 * WALK);
    expect(await countPages([made], [popular])).toBeLessThan(3_000);
  });

  it('stops at the limit of links when actions share their contents', async () => {
    const layers = Array.from({ length: 4 }, () => draws(100));
    for (const [place, inputs] of layers.slice(0, -1).entries())
      await recordAll(Array.from({ length: 40 }, () => toItem(inputs, layers[place + 1] ?? [])));
    const refused = await watchOne(layers.at(-1) ?? [], layers[0]?.slice(0, 1) ?? []);
    expect(refused.outcome).toEqual({ outcome: 'cycle', unchecked: 'history' });
    expect(refused.links).toBeLessThanOrEqual(CHECK);
  });

  it('finds a cycle through an alias of an upload, and refuses histories over the limit', async () => {
    const toUpload = (cid: string, alias: string) => {
      const { action, ...item } = toItem([], [cid]);
      return { ...item, action, upload: { cid, aliases: [alias], mayExist: true } };
    };
    const joined = await chain(3_000);
    const ends = [joined[0] as string, joined.at(-1) as string] as const;
    for (const [cid, alias] of [ends, [...ends].reverse() as [string, string]])
      expect((await watch([toUpload(cid, alias)])).outcomes).toEqual([{ outcome: 'cycle' }]);
    const [one, other, before, after] = [draw(), draw(), draw(), draw()];
    await recordAll([toItem([before], [other]), toItem([other], [after])]);
    for (const cid of [one, before]) await addActions('action_output', cid, WALK);
    for (const cid of [one, after]) await addActions('action_input', cid, WALK);
    const { outcomes } = await watch([toUpload(one, other)]);
    expect(outcomes).toEqual([{ outcome: 'cycle', unchecked: 'history' }]);
  });

  it('one statement follows a limited number of links, however many actions it has', async () => {
    const [up, down] = [await chain(1_000), await chain(1_000)];
    const items = Array.from({ length: 100 }, () => toItem([up.at(-1) as string], [down[0] as string]));
    const { outcomes, links } = await watch(items);
    expect(links).toBeLessThanOrEqual(TOGETHER + WALK);
    expect(outcomes[0]).toMatchObject({ outcome: 'recorded' });
    expect(outcomes.at(-1)).toEqual({ outcome: 'cycle', unchecked: 'together' });
    expect((await watch(items.slice(-1))).outcomes).toMatchObject([{ outcome: 'recorded' }]);
  });

  it('follows few links outside of the fair queue, and runs longer searches in the queue', async () => {
    const [up, down, near] = [await chain(1_500), await chain(1_500), await chain(20)];
    let turns = 0;
    const scheduler: Pick<Scheduler, 'run'> = {
      run: (_turn, task) => {
        turns += 1;
        return task(new AbortController().signal, () => {});
      },
    };
    const { provenance } = databases;
    const recorder = createRecorder(provenance, { scheduler });
    const [tip, start, last] = [up.at(-1) as string, down[0] as string, down.at(-1) as string];
    const toRecord = (inputs: string[], outputs: string[]) => toItem(inputs, outputs) as RecordItem;
    expect(await recorder.record(project, toRecord([tip], [near[0] as string]))).toMatchObject({
      outcome: 'recorded',
    });
    expect(turns).toBe(0);
    expect(await recorder.check(project, toRecord([tip], [start]))).toBeUndefined();
    expect(turns).toBe(1);
    const many = Array.from({ length: 5 }, () => recorder.record(project, toRecord([tip], [start])));
    expect((await Promise.all(many)).map(({ outcome }) => outcome)).toEqual(Array(5).fill('recorded'));
    expect(turns).toBe(6);
    expect(await recorder.record(project, toRecord([last], [start]))).toEqual({ outcome: 'cycle' });
  });

  it('an action with many contents waits for one slot, in which it also runs a long search', async () => {
    const [up, down] = [await chain(1_500), await chain(1_500)];
    const turns: Turn[] = [];
    const scheduler: Pick<Scheduler, 'run'> = {
      run: (turn, task) => {
        turns.push(turn);
        return task(new AbortController().signal, () => {});
      },
    };
    const recorder = createRecorder(databases.provenance, { scheduler });
    const item = toItem([up.at(-1) as string, ...draws(200)], [down[0] as string]) as RecordItem;
    const { signal } = new AbortController();
    expect(await recorder.check(project, item, { signal })).toBeUndefined();
    expect(await recorder.record(project, item, { mustBegin: true })).toMatchObject({
      outcome: 'recorded',
    });
    expect(turns).toEqual([
      { projectId: project, kind: 'batch', signal },
      { projectId: project, kind: 'batch' },
    ]);
  });

  it('a large item with `mustBegin` starts even if the queue is full, and gets a slot to search', async () => {
    const [up, down] = [await chain(1_500), await chain(1_500)];
    const kinds: string[] = [];
    const scheduler: Pick<Scheduler, 'run'> = {
      run: ({ kind }, task) => {
        kinds.push(kind);
        if (kind === 'batch') return Promise.reject(new Error('The queue is full.'));
        return task(new AbortController().signal, () => {});
      },
    };
    const recorder = createRecorder(databases.provenance, { scheduler });
    const item = toItem([up.at(-1) as string, ...draws(200)], [down[0] as string]) as RecordItem;
    await expect(recorder.record(project, item)).rejects.toThrow('The queue is full.');
    expect(await recorder.record(project, item, { mustBegin: true })).toMatchObject({ outcome: 'recorded' });
    expect(kinds).toEqual(['batch', 'batch', 'history']);
  });

  it('a search with `longestWalk` stops at a limit that all records of the statement share', async () => {
    const [up, down] = [await chain(1_500), await chain(1_500)];
    const texts = Array.from({ length: 20 }, () =>
      JSON.stringify(toItem([up.at(-1) as string], [down[0] as string])),
    );
    const expected = { apart: texts.map((_, at) => at + 1), longestWalk: 1_000 };
    await databases.provenance.transaction(async (tx) => {
      const { outcomes } = await recordFresh(tx, project, { items: texts, expected });
      expect(outcomes).toEqual(texts.map(() => ({ outcome: 'cycle', unchecked: 'short' })));
      const [row] = await tx.query<{ links: number }>(
        `select current_setting('provenance.followed_links')::int as links`,
      );
      expect(row?.links).toBeLessThanOrEqual(4_000 + 1_000);
    });
  });

  it('finds a cycle among the actions of one statement', async () => {
    const [one, two, three] = draws(3) as [string, string, string];
    const { outcomes } = await watch([toItem([one], [two]), toItem([two], [three]), toItem([three], [one])]);
    expect(outcomes).toMatchObject([{ outcome: 'recorded' }, { outcome: 'recorded' }, { outcome: 'cycle' }]);
  });

  it('records 1,000 actions after a long history if few actions have used their outputs', async () => {
    const [history, used] = [await chain(1_000), draws(1_000)];
    await recordAll(used.map((cid) => toItem([cid], [draw()])));
    const { outcomes } = await watch(used.map((cid) => toItem([history.at(-1) as string], [cid])));
    expect(outcomes.filter(({ outcome }) => outcome !== 'recorded')).toEqual([]);
  });
});
