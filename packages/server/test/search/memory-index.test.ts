import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/platform/db/database.js';
import { toDescriptorRow, writeDescriptor } from '../../src/search/descriptors.sql.js';
import { findNear } from '../../src/search/memory/find-near.js';
import { createIndexFeed } from '../../src/search/memory/index-feed.js';
import { createIndexStore, type IndexStore } from '../../src/search/memory/index-store.js';
import type { Near } from '../../src/search/memory/protocol.js';
import { createMemoryIndex, type MemoryIndex } from '../../src/search/memory-index.js';
import { dot, normalise } from '../../src/search/vector.js';
import { openOn } from '../support/open-on.js';

const PROJECT = '00000000-0000-7000-8000-00000000000a';
const OTHER = '00000000-0000-7000-8000-00000000000b';
const METHOD = 'image-512/1';

/** Unit vectors at random distances from ten centres. They are the same in every run. */
function makeVectors(count: number, dimensions = 512): Float32Array[] {
  let state = 12345;
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648 - 0.5;
  };
  const centres = Array.from({ length: 10 }, () => Array.from({ length: dimensions }, next));
  return Array.from({ length: count }, (_, index) =>
    Float32Array.from(
      normalise(
        (centres[index % 10] ?? []).map((value) => value + next()),
        1,
      ),
    ),
  );
}

function toRow(cid: string, vector: Float32Array | undefined, method = METHOD) {
  if (vector === undefined) throw new Error('no vector');
  return { ...toDescriptorRow(cid, { method, vector, evidence: new Uint8Array(512) }), type: 'image' };
}

/** The store must have all vectors. */
function search(store: IndexStore, turned: Float32Array[], limit = 10): Near[] {
  const table = store.find(PROJECT, METHOD, turned[0]?.length ?? 0)?.table;
  if (table === undefined) return [];
  const steps = findNear(table, { projectId: PROJECT, method: METHOD, turned, limit });
  for (;;) {
    const { value, done } = steps.next();
    if (done === true) return value;
    expect(value).toBeUndefined();
  }
}

function fill(vectors: readonly Float32Array[], { maxBytes = 2 ** 28, projectId = PROJECT } = {}) {
  const evicted: string[] = [];
  const store = createIndexStore(maxBytes, (gone) => evicted.push(gone));
  store.begin(projectId);
  store.setLoaded(projectId);
  for (const [index, vector] of vectors.entries()) store.addRecorded(projectId, toRow(`c${index}`, vector));
  return { store, evicted };
}

describe('the tables in memory', () => {
  it.each([512, 100, 3])(
    'find at least 98 % of the vectors that a full comparison finds (%i numbers)',
    (dimensions) => {
      const vectors = makeVectors(2_040, dimensions);
      const stored = vectors.slice(0, 2_000);
      const { store } = fill(stored);
      let [found, all] = [0, 0];
      for (const asked of vectors.slice(2_000)) {
        const expected = stored
          .map((vector, index) => ({ cid: `c${index}`, cosine: dot(vector, asked) }))
          .sort((a, b) => b.cosine - a.cosine)
          .slice(0, 10);
        const near = search(store, [asked]);
        const cosines = near.map(({ cosine }) => cosine);
        expect(cosines).toEqual(cosines.toSorted((a, b) => b - a));
        const least = expected.at(-1)?.cosine ?? 0;
        found += cosines.filter((cosine) => cosine > least - 1e-5).length;
        all += expected.length;
      }
      expect(found / all).toBeGreaterThanOrEqual(0.98);
    },
  );

  it('find content for several vectors in one search, and each content only by its newest vector', () => {
    const vectors = makeVectors(60);
    const [one, two] = [vectors[5] ?? new Float32Array(), vectors[17] ?? new Float32Array()];
    const { store } = fill(vectors.slice(0, 50));
    const both = search(store, [one, two], 2).map(({ cid, turn }) => `${cid} ${turn}`);
    expect(both.toSorted()).toEqual(['c17 1', 'c5 0']);
    store.addRecorded(PROJECT, toRow('c5', vectors[55]));
    expect(search(store, [vectors[55] ?? one], 1)[0]).toMatchObject({
      cid: 'c5',
      cosine: expect.closeTo(1, 4),
    });
    expect(search(store, [one], 1)[0]?.cid).not.toBe('c5');
  });

  it('stay within the limit: a project first loses vectors, and is evicted only if this frees too little', () => {
    const vectors = makeVectors(400);
    const { store, evicted } = fill(vectors, { projectId: OTHER, maxBytes: 700_000 });
    expect(evicted).toEqual([]);
    store.begin(PROJECT);
    store.setLoaded(PROJECT);
    for (const [index, vector] of vectors.entries()) store.addRecorded(PROJECT, toRow(`c${index}`, vector));
    expect(store.find(PROJECT, METHOD, 512)?.table?.bytes()).toBeLessThan(700_000);
    const { store: small, evicted: gone } = fill(vectors, { maxBytes: 50_000 });
    expect(gone).toEqual([PROJECT]);
    expect(small.find(PROJECT, METHOD, 512)).toBeUndefined();
    small.addRecorded(PROJECT, toRow('late', vectors[0]));
    small.setLoaded(PROJECT);
    expect(small.find(PROJECT, METHOD, 512)).toBeUndefined();
  });

  it('evict the project above its equal share, even if it was used last', () => {
    const vectors = makeVectors(700, 100);
    const { store, evicted } = fill(vectors.slice(0, 30), { projectId: OTHER, maxBytes: 250_000 });
    const bytes = store.find(OTHER, METHOD, 100)?.table?.bytes();
    expect(bytes).toBeLessThan(125_000);
    store.begin(PROJECT);
    store.setLoaded(PROJECT);
    for (const [index, vector] of vectors.entries()) store.addRecorded(PROJECT, toRow(`c${index}`, vector));
    expect(evicted).toEqual([PROJECT]);
    expect(store.find(PROJECT, METHOD, 100)).toBeUndefined();
    const kept = store.find(OTHER, METHOD, 100)?.table;
    expect([kept?.bytes(), kept?.rows, kept?.hasVector(0)]).toEqual([bytes, 30, true]);
  });

  it('first evict projects that were idle for ten minutes, even if they are within their share', () => {
    let nowMs = 0;
    const evicted: string[] = [];
    const store = createIndexStore(
      250_000,
      (gone) => evicted.push(gone),
      () => nowMs,
    );
    const vectors = makeVectors(300, 100);
    const load = (projectId: string, count: number) => {
      store.begin(projectId);
      store.setLoaded(projectId);
      for (const [index, vector] of vectors.slice(0, count).entries())
        store.addRecorded(projectId, toRow(`c${index}`, vector));
    };
    load(OTHER, 30);
    nowMs += 599_999;
    load(PROJECT, 300);
    expect(evicted).toEqual([]);
    nowMs += 1;
    load(PROJECT, 300);
    expect(evicted).toEqual([OTHER]);
  });
});

describe.each(['PGlite', 'PostgreSQL'])('the index in memory, on %s', (engine) => {
  const vectors = makeVectors(700);
  let db: Database;
  let statements = 0;
  const opened: MemoryIndex[] = [];

  const openIndex = (maxBytes = 2 ** 28) => {
    const query: Database['query'] = (text, parameters) => {
      statements += 1;
      return db.query(text, parameters);
    };
    const reportFailure = (error: unknown) => {
      throw error;
    };
    const index = createMemoryIndex({ engine: 'postgresql', query }, { maxBytes, reportFailure });
    opened.push(index);
    return index;
  };
  const ask = (index: MemoryIndex, vector: Float32Array | undefined, limit = 5) =>
    index.find({ projectId: PROJECT, method: METHOD, turned: [vector ?? new Float32Array()], limit });
  async function untilLoaded(index: MemoryIndex): Promise<void> {
    for (let tries = 0; tries < 400; tries++) {
      if ((await ask(index, vectors[0])) !== undefined) return;
      await sleep(25);
    }
    throw new Error('the project was never loaded');
  }

  beforeAll(async () => {
    db = (await openOn(engine)).provenance;
    for (const [index, vector] of vectors.slice(0, 600).entries())
      await writeDescriptor(db, PROJECT, toRow(`c${index}`, vector));
    await writeDescriptor(db, PROJECT, { ...toRow('nothing', vectors[0]), embedding: '{}', signs: '' });
  });
  afterEach(() => Promise.all(opened.splice(0).map((index) => index.close())));
  afterAll(() => db.close());

  it('sends the first search to the database, and then finds stored vectors', async () => {
    const index = openIndex();
    expect(await ask(index, vectors[3])).toBeUndefined();
    await untilLoaded(index);
    const [first, second] = (await ask(index, vectors[3])) ?? [];
    expect(first).toMatchObject({ cid: 'c3', turn: 0, cosine: expect.closeTo(1, 5) });
    expect(second?.cosine).toBeLessThan(0.9);
    expect(
      await index.find({
        projectId: PROJECT,
        method: METHOD,
        turned: [new Float32Array(3).fill(1)],
        limit: 5,
      }),
    ).toEqual([]);
  });

  it('finds vectors of its own node at once, and those that another node wrote or replaced', async () => {
    const index = openIndex();
    await untilLoaded(index);
    await writeDescriptor(db, PROJECT, toRow('c10', vectors[650]));
    index.noteChange(PROJECT);
    expect((await ask(index, vectors[650]))?.[0]).toMatchObject({ cid: 'c10', cosine: expect.closeTo(1, 5) });
    index.addRecorded(PROJECT, toRow('mine', vectors[651]));
    expect((await ask(index, vectors[651]))?.[0]).toMatchObject({
      cid: 'mine',
      cosine: expect.closeTo(1, 5),
    });
    await writeDescriptor(db, PROJECT, toRow('c10', vectors[652]));
    for (let tries = 0; (await ask(index, vectors[652]))?.[0]?.cid !== 'c10'; tries++) {
      if (tries === 100) throw new Error('the vectors of the other node never arrived');
      await sleep(25);
    }
  });

  it('sends no query to the database for a repeated search', async () => {
    const index = openIndex();
    await untilLoaded(index);
    index.noteChange(PROJECT);
    await ask(index, vectors[3]);
    statements = 0;
    await ask(index, vectors[3]);
    expect(statements).toBe(0);
  });

  it('tries again to load a project that does not fit, after delays that double up to one hour', async () => {
    let [nowMs, loads, running] = [0, 0, 0];
    const query: Database['query'] = (text, parameters) => {
      running += 1;
      return db.query<never>(text, parameters).finally(() => {
        running -= 1;
      });
    };
    const feed = createIndexFeed(
      { engine: 'postgresql', query },
      {
        now: () => nowMs,
        reportFailure(error) {
          throw error;
        },
        post({ kind }) {
          if (kind === 'begin') loads += 1;
          if (kind === 'slice') feed.noteEviction(PROJECT);
        },
      },
    );
    const sixHours = 6 * 3_600_000;
    for (; nowMs < sixHours; nowMs += 10_000) {
      expect(await feed.catchUp(PROJECT)).toBe(false);
      while (running > 0) await sleep(1);
    }
    await feed.close();
    expect(loads).toBeGreaterThan(7);
    expect(loads).toBeLessThan(15);
  });

  it('sends searches to the database if it has no memory, if a project does not fit, and after close', async () => {
    const none = openIndex(0);
    expect(await ask(none, vectors[3])).toBeUndefined();
    const small = openIndex(10_000);
    for (let tries = 0; tries < 20; tries++) {
      expect(await ask(small, vectors[3])).toBeUndefined();
      await sleep(10);
    }
    const closed = openIndex();
    await untilLoaded(closed);
    await closed.close();
    expect(await ask(closed, vectors[3])).toBeUndefined();
  });
});
