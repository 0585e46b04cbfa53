import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  listLivePublications,
  listOpenContents,
  listPublishingProjects,
} from '../../src/management/live-publications.sql.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { openOn } from '../support/open-on.js';

const LARGE = '00000000-0000-8000-8000-0000000000aa';
const SMALL = '00000000-0000-8000-8000-0000000000bb';

describe.each(['PGlite in memory', 'PostgreSQL'])(
  'one organisation with many publications, on %s',
  (engine) => {
    let databases: Databases;
    let first: string;
    let other: string;

    const addProjects = async (orgId: string, count: number, days: number) => {
      const rows = await databases.control.query<{ id: string }>(
        `insert into control.project (id, org_id, name, slug, public_detector, created_at)
       select gen_random_uuid(), $1::uuid, 'Project', 'project-' || n, true,
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
      for (const [id, slug] of [
        [LARGE, 'large'],
        [SMALL, 'small'],
      ])
        await databases.control.query('insert into control.org (id, slug, name) values ($1, $2, $2)', [
          id,
          slug,
        ]);
      first = (await addProjects(LARGE, 30, 2))[0] ?? '';
      other = (await addProjects(SMALL, 1, 1))[0] ?? '';
    });
    afterAll(() => databases.close());

    it('does not displace the projects of others from a search', async () => {
      const listed = await listPublishingProjects(databases.control, 10);
      expect([listed.length, ...listed.slice(0, 2)]).toEqual([10, first, other]);
    });

    it('does not displace the publications and manifests of others', async () => {
      const query = { cids: ['same'], limit: 10 };
      const rows = await listLivePublications(databases.control, query);
      expect(rows.map(({ orgId }) => orgId)).toEqual([LARGE, SMALL, ...Array<string>(8).fill(LARGE)]);
      expect(rows.slice(0, 2).map(({ projectId }) => projectId)).toEqual([first, other]);
      const open = await listOpenContents(databases.control, query);
      expect([open.length, ...open.slice(0, 2).map(({ projectId }) => projectId)]).toEqual([
        10,
        first,
        other,
      ]);
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
