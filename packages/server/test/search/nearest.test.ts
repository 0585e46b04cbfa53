import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/platform/db/database.js';
import type { Described } from '../../src/search/descriptor.js';
import { toDescriptorRow, writeDescriptor } from '../../src/search/descriptors.sql.js';
import { readNearest } from '../../src/search/nearest.sql.js';
import { dot, normalise } from '../../src/search/vector.js';
import { openOn } from '../support/open-on.js';

const PROJECTS = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b'] as const;
const METHOD = 'image-512/1';

/** Unit vectors at random distances from ten centres. They are the same in every run. */
function makeVectors(count: number): Float32Array[] {
  let state = 12345;
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648 - 0.5;
  };
  const centres = Array.from({ length: 10 }, () => Array.from({ length: 512 }, next));
  return Array.from({ length: count }, (_, index) =>
    Float32Array.from(
      normalise(
        (centres[index % 10] ?? []).map((value) => value + next()),
        1,
      ),
    ),
  );
}

function ask(turned: Float32Array[], limit: number): { described: Described; limit: number } {
  const [vector = new Float32Array()] = turned;
  return { described: { method: METHOD, vector, evidence: new Uint8Array(), turned }, limit };
}

describe.each(['PGlite', 'PostgreSQL'])('the nearest vectors, on %s', (engine) => {
  const vectors = makeVectors(400);
  let db: Database;
  beforeAll(async () => {
    db = (await openOn(engine)).provenance;
    for (const [index, vector] of vectors.entries()) {
      const project = PROJECTS[index % 20 === 0 ? 1 : 0];
      const row = toDescriptorRow(`c${index}`, {
        method: METHOD,
        vector,
        evidence: Uint8Array.of(index % 256),
      });
      await db.query(
        `insert into provenance.resource (project_id, cid, type, root_action, created_at)
         values ($1, $2, 'image', gen_random_uuid(), now())`,
        [project, row.cid],
      );
      await writeDescriptor(db, project, row);
    }
  });
  afterAll(() => db.close());

  const ofProject = (which: 0 | 1) =>
    vectors
      .map((vector, index) => ({ vector, cid: `c${index}`, index }))
      .filter(({ index }) => (index % 20 === 0 ? 1 : 0) === which);

  it.each([0, 1] as const)('match a full comparison within the project (project %i)', async (which) => {
    const stored = ofProject(which);
    for (const asked of [vectors[3], vectors[20], vectors[57]]) {
      if (asked === undefined) throw new Error('no vector');
      const expected = stored
        .map(({ cid, vector }) => ({ cid, cosine: dot(vector, asked) }))
        .sort((a, b) => b.cosine - a.cosine)
        .slice(0, 5);
      const found = await readNearest(db, PROJECTS[which], ask([asked], 5));
      expect(found.map(({ cid }) => cid)).toEqual(expected.map(({ cid }) => cid));
      for (const [index, { cosine }] of found.entries()) {
        expect(cosine).toBeCloseTo(expected[index]?.cosine ?? 0, 4);
      }
    }
  });

  it('are found for each of several vectors, with the data for their check', async () => {
    const [one, two] = [ofProject(0)[5], ofProject(0)[77]];
    if (one === undefined || two === undefined) throw new Error('no vectors');
    const found = await readNearest(db, PROJECTS[0], ask([one.vector, two.vector], 2));
    expect(found.map(({ cid, turn, type }) => ({ cid, turn, type })).sort((a, b) => a.turn - b.turn)).toEqual(
      [
        { cid: one.cid, turn: 0, type: 'image' },
        { cid: two.cid, turn: 1, type: 'image' },
      ],
    );
    expect(Uint8Array.from(found[0]?.evidence ?? [])).toHaveLength(1);
  });

  it('are found among all stored vectors, with statements that compare at most 4,096 pairs each', async () => {
    const [first, last] = [ofProject(0)[0], ofProject(0).at(-1)];
    if (first === undefined || last === undefined) throw new Error('no vectors');
    // Each of four statements compares all 40 requested vectors with at most 102 of the 380 stored ones.
    const turned = [...Array.from({ length: 39 }, () => first.vector), last.vector];
    let pages = 0;
    const counted: Pick<Database, 'query'> = {
      query: (text, parameters) => {
        if (text.includes('asked.signs')) pages++;
        return db.query(text, parameters);
      },
    };
    const found = await readNearest(counted, PROJECTS[0], ask(turned, 40));
    expect(pages).toBe(4);
    expect(found.map(({ cid, turn }) => `${cid} ${turn}`).sort()).toEqual(
      turned.map((_, turn) => `${turn === 39 ? last.cid : first.cid} ${turn}`).sort(),
    );
  });

  it('exclude vectors of another length', async () => {
    const short = Float32Array.from(normalise([1, 2, 3], 1));
    expect(await readNearest(db, PROJECTS[0], ask([short], 5))).toEqual([]);
  });

  it('are replaced after content is described again', async () => {
    const [first, second] = ofProject(1);
    if (first === undefined || second === undefined) throw new Error('no vectors');
    const row = toDescriptorRow(first.cid, {
      method: METHOD,
      vector: vectors[399] ?? first.vector,
      evidence: Uint8Array.of(9),
    });
    await writeDescriptor(db, PROJECTS[1], row);
    const found = await readNearest(db, PROJECTS[1], ask([vectors[399] ?? first.vector], 1));
    expect(found).toMatchObject([{ cid: first.cid, cosine: expect.closeTo(1, 4) }]);
  });
});
