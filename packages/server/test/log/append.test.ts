import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { migrate } from '../../src/platform/db/migrate.js';
import { createMigratedDatabase } from '../support/postgres.js';
import { ANY_ENGINE, ENGINES, jsonPost, type Service, startService } from '../support/service.js';

interface Leaf {
  index: number;
  kind: string;
  id: string;
  digest: string;
}

const PROJECT = namedProjectId('one');

async function readLeaves({ context }: Service): Promise<Leaf[]> {
  return context.databases.provenance.query<Leaf>(
    `select leaf_index as index, kind, record_id as id, encode(digest, 'hex') as digest
     from provenance.log_leaf where project_id = $1 order by leaf_index`,
    [PROJECT],
  );
}

/** A stray record has a leaf with another digest, kind or id, or none. */
async function findStrayRecords({ context }: Service): Promise<unknown[]> {
  return context.databases.provenance.query(
    `select r.kind, r.id, r.leaf_index from (
       select 'entity' as kind, id, digest, leaf_index from provenance.entity where project_id = $1
       union all select 'action', id::text, digest, leaf_index from provenance.action where project_id = $1
       union all select 'attribution', id::text, digest, leaf_index from provenance.attribution where project_id = $1
     ) r left join provenance.log_leaf l on l.project_id = $1 and l.leaf_index = r.leaf_index
     where (l.kind, l.record_id, l.digest) is distinct from (r.kind, r.id, r.digest)`,
    [PROJECT],
  );
}

const post = async (service: Service, path: string, body: object) =>
  (await service.send(path, jsonPost(body))).json();
const shape = (leaves: Leaf[]) => leaves.map(({ index, kind, id }) => `${index} ${kind} ${id}`);

describe.each(ENGINES)('the log, on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  it('gets a leaf for each new record, in the order of recording, and none for known records', async () => {
    const ann = { id: 'ann', role: 'human', name: 'Ann' };
    await post(service, '/v1/entity', ann);
    await post(service, '/v1/entity', ann);
    const { actionId } = await post(service, '/v1/action', { performedBy: 'ann' });
    const attribution = { entityId: 'ann', actionId, role: 'source' };
    const { id } = await post(service, '/v1/attribution', attribution);
    await post(service, '/v1/attribution', attribution);
    await post(service, '/v1/action', { performedBy: 'nobody' });
    const leaves = await readLeaves(service);
    expect(shape(leaves)).toEqual([
      '0 entity ann',
      `1 action ${actionId}`,
      expect.stringMatching(/^2 attribution /),
      `3 attribution ${id}`,
    ]);
    expect(await findStrayRecords(service)).toEqual([]);
  });

  it('gets another leaf for a changed entity, and keeps the earlier leaf', async () => {
    const before = await readLeaves(service);
    await service.send('/v1/entity/ann', { ...jsonPost({ name: 'Anna' }), method: 'PATCH' });
    const after = await readLeaves(service);
    expect(after.slice(0, -1)).toEqual(before);
    expect(shape(after).at(-1)).toBe(`${before.length} entity ann`);
    expect(after.at(-1)?.digest).not.toBe(before[0]?.digest);
    expect(await findStrayRecords(service)).toEqual([]);
  });

  it('starts at index 0 in each project', async () => {
    const authorization = 'Bearer test-key-of-project-two';
    await service.send('/v1/entity', { ...jsonPost({ role: 'ai' }, { authorization }) });
    const rows = await service.context.databases.provenance.query(
      'select leaf_index as index from provenance.log_leaf where project_id = $1',
      [namedProjectId('two')],
    );
    expect(rows).toEqual([{ index: 0 }]);
  });

  it('has neighbouring leaves next to each other in the table, so a proof reads few pages', async () => {
    const authorization = 'Bearer test-key-of-project-two';
    const contents = Array.from({ length: 60 }, (_, n) => `sha256:${n.toString(16).padStart(64, '0')}`);
    const actions = contents.map((cid) => ({ performedBy: 'ann', outputCids: [cid] }));
    await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human' }, { authorization }));
    const { status } = await service.send('/v1/batch', jsonPost({ actions }, { authorization }));
    expect(status).toBe(201);
    const [row] = await service.context.databases.provenance.query<{ leaves: number; back: number }>(
      `select count(*)::int as leaves, (count(*) filter (where is_back))::int as back
       from (select ctid < lag(ctid) over (order by leaf_index) as is_back
             from provenance.log_leaf where project_id = $1) l`,
      [namedProjectId('two')],
    );
    expect(row?.leaves).toBeGreaterThan(120);
    expect(row?.back).toBe(0);
  });

  it('is created in the order of recording for a database of an older version', async () => {
    const before = await readLeaves(service);
    const { provenance } = service.context.databases;
    await provenance.transaction((tx) =>
      tx.exec(`drop table provenance.log_leaf, provenance.log_node;
        alter table provenance.entity drop column leaf_index;
        alter table provenance.action drop column leaf_index;
        alter table provenance.attribution drop column leaf_index;
        delete from provenance.schema_change where name = '0030-log.sql';`),
    );
    await migrate(provenance, 'provenance');
    const after = await readLeaves(service);
    // The database has only the newest version of an entity, so its leaf gets the index of the first version.
    const last = before.at(-1) as Leaf;
    expect(after).toEqual([{ ...last, index: 0 }, ...before.slice(1, -1)]);
    expect(await findStrayRecords(service)).toEqual([]);
  });
});

describe('the log of a project on two nodes', () => {
  it('has the leaves in the order of the recordings, without gaps', async () => {
    const environment = { DATABASE_URL: await createMigratedDatabase(inject('postgresUrl'), 'two nodes') };
    const nodes = [
      await startService(ANY_ENGINE, { environment }),
      await startService(ANY_ENGINE, { environment }),
    ];
    try {
      const [first] = nodes as [Service, Service];
      await post(first, '/v1/entity', { id: 'ann', role: 'human' });
      const asked = Array.from({ length: 300 }, (_, n) =>
        (nodes[n % 2] as Service).send('/v1/action', jsonPost({ performedBy: 'ann' })),
      );
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([201]));
      const leaves = await readLeaves(first);
      expect(leaves.map(({ index }) => index)).toEqual(Array.from({ length: 601 }, (_, index) => index));
      expect(await findStrayRecords(first)).toEqual([]);
      const actions = await first.context.databases.provenance.query<{ id: string }>(
        'select id from provenance.action order by recorded_at, leaf_index',
      );
      expect(leaves.filter(({ kind }) => kind === 'action').map(({ id }) => id)).toEqual(
        actions.map(({ id }) => id),
      );
    } finally {
      for (const node of nodes) await node.stop();
    }
  });
});
