import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listProjectsOfOwners, readProjectOwner } from '../../src/control/project-owners.sql.js';
import {
  listLivePublications,
  listOpenContents,
  listPublicationsOfCids,
  listPublishingProjects,
} from '../../src/management/live-publications.sql.js';
import { listOpenProjects } from '../../src/management/publications.sql.js';
import { listPublications } from '../../src/management/publish-content.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { createGroupedLimit, type GroupedLimit } from '../../src/platform/work/limit-concurrency.js';
import { openOn } from '../support/open-on.js';

const LARGE = '00000000-0000-8000-8000-0000000000aa';
/** The second organisation of the account that created `LARGE`. */
const SECOND = '00000000-0000-8000-8000-0000000000ab';
const SMALL = '00000000-0000-8000-8000-0000000000bb';
const OWNERS = { large: 'user maker', small: `org ${SMALL}` };

describe.each(['PGlite in memory', 'PostgreSQL'])(
  'one account with many publications in two organisations, on %s',
  (engine) => {
    let databases: Databases;
    let first: string;
    let other: string;

    const addProjects = async (orgId: string, count: number, days: number) => {
      const rows = await databases.control.query<{ id: string }>(
        `insert into control.project (id, org_id, name, slug, public_detector, public_checks, created_at)
       select gen_random_uuid(), $1::uuid, 'Project', 'project-' || n, true, true,
         now() - make_interval(days => $3) + make_interval(secs => n)
       from generate_series(1, $2) n returning id`,
        [orgId, count, days],
      );
      await databases.control.query(
        `insert into control.publication
         (project_id, id, cid, withhold, hidden_entities, pseudonym_key, titles, created_at)
       select p.id, p.id::text, 'same', '[]', '[]', 'key', true, p.created_at
       from control.project p where p.org_id = $1`,
        [orgId],
      );
      return rows.map(({ id }) => id);
    };

    beforeAll(async () => {
      databases = await openOn(engine);
      for (const row of [
        [LARGE, 'large', 'maker'],
        [SECOND, 'second', 'maker'],
        [SMALL, 'small', null],
      ])
        await databases.control.query(
          'insert into control.org (id, slug, name, created_by) values ($1, $2, $2, $3)',
          row,
        );
      first = (await addProjects(LARGE, 20, 3))[0] ?? '';
      await addProjects(SECOND, 10, 2);
      other = (await addProjects(SMALL, 1, 1))[0] ?? '';
    });
    afterAll(() => databases.close());

    it('does not displace the projects of others from a search', async () => {
      const listed = await listPublishingProjects(databases.control, 10);
      expect([listed.length, ...listed.slice(0, 2)]).toEqual([10, first, other]);
    });

    it('does not displace the projects of others from a public check', async () => {
      const listed = await listOpenProjects(databases.control);
      expect([listed.length, ...listed.slice(0, 2)]).toEqual([31, first, other]);
    });

    it('is the owner of all its projects, and any one of them is enough to list them all', async () => {
      const { control } = databases;
      const owners = async (ids: string[]) => [...(await listProjectsOfOwners(control, ids))];
      expect((await owners([first])).length).toBe(30);
      expect((await owners([first])).every(([, owner]) => owner === OWNERS.large)).toBe(true);
      expect(await owners([other])).toEqual([[other, OWNERS.small]]);
      expect((await owners([other, first])).length).toBe(31);
      expect(await readProjectOwner(control, first)).toBe(OWNERS.large);
      expect(await readProjectOwner(control, '00000000-0000-8000-8000-0000000000cc')).toBeUndefined();
    });

    it('has live projects listed, and a deleted one only if the caller names it', async () => {
      const { control } = databases;
      const deleted = '00000000-0000-8000-8000-0000000000dd';
      await control.query(
        `insert into control.project (id, org_id, name, slug, deleted_at) values ($1, $2, 'Old', 'old', now())`,
        [deleted, SMALL],
      );
      const listed = async (id: string) => [...(await listProjectsOfOwners(control, [id])).keys()];
      expect(await listed(other)).toEqual([other]);
      expect(await listed(deleted)).toEqual([deleted, other]);
    });

    it('does not displace the publications and manifests of others', async () => {
      const { control } = databases;
      const all = await control.query<{ projectId: string; cid: string }>(
        'select project_id as "projectId", cid from control.publication order by id',
      );
      for (const rows of [
        await listPublicationsOfCids(control, ['same', 'none', 'same']),
        await listLivePublications(control, [...all, ...all, { projectId: first, cid: 'none' }]),
        await listOpenContents(control, all, 31),
      ]) {
        const rest = Array<string>(29).fill(OWNERS.large);
        expect(rows.map(({ owner }) => owner)).toEqual([OWNERS.large, OWNERS.small, ...rest]);
        expect(rows.slice(0, 2).map(({ projectId }) => projectId)).toEqual([first, other]);
      }
      expect((await listOpenContents(control, all, 10)).length).toBe(10);
    });

    it('shows the earliest publication without an expiry, or else the one that expires last', async () => {
      const { control } = databases;
      const contents = [{ projectId: other, cid: 'same' }];
      const shown = async () => {
        const lists = [
          await listLivePublications(control, contents),
          await listPublicationsOfCids(control, ['same']),
          await listOpenContents(control, contents, 10),
        ];
        return lists.map((rows) => rows.find(({ projectId }) => projectId === other)?.id);
      };
      const insert = (id: string, { days = null as number | null, withhold = '[]', age = 0 }) =>
        control.query(
          `insert into control.publication
             (project_id, id, cid, withhold, hidden_entities, pseudonym_key, titles, expires_at, created_at)
           values ($1, $2, 'same', $3::jsonb, '[]', 'key', true, now() + make_interval(days => $4::int),
             now() - make_interval(days => $5::int))`,
          [other, id, withhold, days, age],
        );
      await control.query('delete from control.publication where project_id = $1', [other]);
      await insert('expired', { days: -1, age: 9 });
      expect(await shown()).toEqual([undefined, undefined, undefined]);
      await insert('soon', { days: 1, age: 8 });
      await insert('later', { days: 2, withhold: '["details"]' });
      expect(await shown()).toEqual(['later', 'later', 'soon']);
      await insert('new', {});
      await insert('old', { age: 1 });
      expect(await shown()).toEqual(['old', 'old', 'old']);
    });

    /**
     * `asked`: for each call, its project, or its owner if it has no project. `begun`: the same for each call whose
     * turn has begun.
     */
    function createLists(atOnce: number) {
      const limit = createGroupedLimit({ all: { atOnce }, ofGroup: { atOnce: 1 } });
      const [asked, begun]: [string[], string[]] = [[], []];
      const limitLists: GroupedLimit = (of, run, signal) => {
        asked.push(of.part ?? of.group);
        return limit(of, () => (begun.push(of.part ?? of.group), run()), signal);
      };
      const list = (projectId: string, signal = new AbortController().signal) =>
        listPublications({ ...databases, limitLists }, projectId, { limit: 10, signal });
      return { limitLists, list, asked, begun };
    }

    it('reads one list at a time, together with all its projects; other owners do not wait', async () => {
      const { limitLists, list, asked, begun } = createLists(2);
      const idle = new EventEmitter();
      const user = { group: OWNERS.large, caller: 'user' };
      const busy = limitLists(user, () => once(idle, 'done'));
      const waiting = list(first);
      await expect.poll(() => asked).toEqual([OWNERS.large, first]);
      expect((await list(other)).count).toBe(5);
      expect(begun).toEqual([OWNERS.large, other]);
      idle.emit('done');
      expect((await waiting).count).toBe(1);
      await busy;
    });

    it('reads one list of a project at a time, and reads no list for a caller that has left', async () => {
      const { limitLists, list, asked, begun } = createLists(1);
      const gone = new AbortController();
      const idle = new EventEmitter();
      const busy = limitLists({ group: first, caller: first }, () => once(idle, 'done'));
      const [waiting, left] = [list(other), list(other, gone.signal)];
      await expect.poll(() => asked).toEqual([first, other, other]);
      gone.abort(new Error('the caller left'));
      await expect(left).rejects.toThrow('the caller left');
      idle.emit('done');
      expect((await waiting).count).toBe(5);
      expect(begun).toEqual([first, other]);
      await busy;
    });

    it('is listed only with live publications', async () => {
      await databases.control.transaction(async (tx) => {
        await tx.query("update control.publication set expires_at = now() + interval '1 day'");
        await tx.query('update control.publication set revoked_at = now() where project_id = $1', [first]);
        await tx.query(
          "update control.publication set expires_at = now() - interval '1 s' where project_id = $1",
          [other],
        );
        const listed = await listPublishingProjects(tx, 100);
        expect([listed.length, listed.includes(first), listed.includes(other)]).toEqual([29, false, false]);
      });
    });
  },
);
