import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { record } from '../../src/records/write/recording.sql.js';
import { openOn } from '../support/open-on.js';
import { recordItems, toActionItem, toEntityItem } from '../support/plain-items.js';

/** The bounds of `refuse_cycle`: links of one walk, and of all walks of a transaction before the last one. */
const WALK = 10_000;
const TOGETHER = 20_000;

let drawn = 0;
const draw = () => `content ${++drawn}`;
const draws = (count: number) => Array.from({ length: count }, draw);

describe.each(['PGlite', 'PostgreSQL'])('the search for cycles, on %s', (engine) => {
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

  /** Records a chain, and returns its contents from the first to the last. */
  async function chain(length: number): Promise<string[]> {
    const cids = draws(length + 1);
    await recordAll(cids.slice(1).map((cid, place) => toItem([cids[place] as string], [cid])));
    return cids;
  }

  /** Records items in one statement. Returns their outcomes and the number of links that their checks followed. */
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

  it('finds a cycle from either side, when only the other side is short', async () => {
    const [short, long] = [await chain(3), await chain(3_000)];
    await recordAll([toItem([short.at(-1) as string], [long[0] as string])]);
    const [first, last] = [short[0] as string, long.at(-1) as string];
    expect(await watchOne([last], [first])).toMatchObject({ outcome: { outcome: 'cycle' } });
    expect(await watchOne([long[1] as string], [first])).toMatchObject({ outcome: { outcome: 'cycle' } });
    const late = await watchOne([last], [long.at(-2) as string]);
    expect(late.outcome).toEqual({ outcome: 'cycle' });
    expect(late.links).toBeLessThan(300);
  });

  it('records an action after a long history, whose output few actions have used', async () => {
    const [history, used] = [await chain(3_000), draw()];
    await recordAll([toItem([used], [draw()])]);
    const { outcome, links } = await watchOne([history.at(-1) as string], [used]);
    expect(outcome).toMatchObject({ outcome: 'recorded' });
    expect(links).toBeLessThan(300);
  });

  it('refuses an action when both histories exceed the limit, and finds a cycle just below it', async () => {
    const [up, down] = [await chain(WALK / 2 + 1), await chain(WALK / 2 + 1)];
    const [tip, root] = [up.at(-1) as string, down[0] as string];
    const refused = await watchOne([tip], [root]);
    expect(refused.outcome).toEqual({ outcome: 'cycle', unchecked: 'history' });
    expect(refused.links).toBeLessThanOrEqual(2 * (WALK + 1_000 + 100));
    expect((await watchOne([up.at(-3) as string], [root])).outcome).toMatchObject({ outcome: 'recorded' });
    const found = await watchOne([tip], [up[1] as string]);
    expect(found.outcome).toEqual({ outcome: 'cycle' });
  });

  it('reads few pages, when an input and an output each have many actions', async () => {
    const [made, used] = [draw(), draw()];
    const makers = Array.from({ length: WALK }, () => toItem([], [made]));
    await recordAll([...makers, ...Array.from({ length: 3 * WALK }, () => toItem([used], []))]);
    const few = await countPages([draw()], [used]);
    expect(await countPages([made], [used])).toBeLessThan(few + 300);
  });

  it('counts each link of actions that share their contents', async () => {
    const layers = Array.from({ length: 4 }, () => draws(100));
    for (const [place, inputs] of layers.slice(0, -1).entries())
      await recordAll(Array.from({ length: 40 }, () => toItem(inputs, layers[place + 1] as string[])));
    const [first, last] = [layers[0] as string[], layers[3] as string[]];
    const { outcome, links } = await watchOne(last, first.slice(0, 1));
    expect(outcome).toEqual({ outcome: 'cycle' });
    expect(links).toBeGreaterThan(WALK / 2);
    const other = await chainOfLayers(40);
    expect((await watchOne(last, other)).outcome).toEqual({ outcome: 'cycle', unchecked: 'history' });
  });

  it('one statement follows a limited number of links, however many actions it has', async () => {
    const [up, down] = [await chain(3_000), await chain(3_000)];
    const items = Array.from({ length: 100 }, () => toItem([up.at(-1) as string], [down[0] as string]));
    const { outcomes, links } = await watch(items);
    expect(links).toBeLessThanOrEqual(TOGETHER + WALK);
    expect(outcomes[0]).toMatchObject({ outcome: 'recorded' });
    expect(outcomes.at(-1)).toEqual({ outcome: 'cycle', unchecked: 'together' });
    expect((await watch(items.slice(-1))).outcomes).toMatchObject([{ outcome: 'recorded' }]);
  });
});
