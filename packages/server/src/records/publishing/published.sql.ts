import type { Queryable } from '../../platform/db/database.js';

/** Returns undefined when the project does not know the content. */
export async function readKnownCid(
  db: Queryable,
  projectId: string,
  cid: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ cid: string }>(
    `select named.cid from (select provenance.resolve($1, $2) as cid) named
     where provenance.knows($1, named.cid)`,
    [projectId, cid],
  );
  return row?.cid;
}

export async function listAbsentEntities(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select asked.id from unnest($2::text[]) with ordinality as asked(id, place)
     where not provenance.has_entity($1, asked.id, null) order by asked.place`,
    [projectId, ids],
  );
  return rows.map(({ id }) => id);
}

/** Returns hex. Undefined when the service never stored the bytes. */
export async function readContentDigest(
  db: Queryable,
  projectId: string,
  cid: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ digest: string | null }>(
    `select encode(content_digest, 'hex') as digest from provenance.resource
     where project_id = $1 and cid = provenance.resolve($1, $2)`,
    [projectId, cid],
  );
  return row?.digest ?? undefined;
}

/** `cid`: the canonical CID in this project. */
export interface KnowingProject {
  projectId: string;
  cid: string;
}

/** Projects that have the content as an output or stored it come first, then projects that only used it. */
export async function listKnowing(
  db: Queryable,
  projectIds: readonly string[],
  { cid, limit }: { cid: string; limit: number },
): Promise<KnowingProject[]> {
  return db.query<KnowingProject>(
    `select named.id as "projectId", named.cid from (
       select asked.id, asked.place, provenance.resolve(asked.id::uuid, $2) as cid
       from unnest($1::text[]) with ordinality as asked(id, place)) named
     where provenance.knows(named.id::uuid, named.cid)
     order by not provenance.has_resource(named.id::uuid, named.cid), named.place
     limit $3`,
    [projectIds, cid, limit],
  );
}
