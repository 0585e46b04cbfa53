import type { Action, Attribution, Ownership } from '@colophon/model';
import type { Queryable } from '../../platform/db/database.js';
import { mapYielding } from '../../platform/work/map-yielding.js';

/** Maximum number of claims and transfers in a response. The list also ends when their JSON reaches 2 MiB. */
const MAX_EVENTS = 1_000;

/**
 * Returns undefined when there is no such resource. Parses in steps, because the actions can have up to 3 MiB of JSON.
 */
export async function readOwnership(
  db: Queryable,
  projectId: string,
  { cid, signal }: { cid: string; signal?: AbortSignal | undefined },
): Promise<Ownership | undefined> {
  const [first, ...actions] = await db.query<{ text: string }>(
    `with read as materialized (select provenance.ownership($1, $2, $3)::jsonb as body)
     select part.text from (
       select (body - 'history')::text as text, 0 as place from read where body is not null
       union all
       select action.value::text, action.place
       from read, jsonb_array_elements(body->'history') with ordinality as action(value, place)
     ) part order by part.place`,
    [projectId, cid, MAX_EVENTS],
  );
  if (first === undefined) return undefined;
  const history = await mapYielding(actions, ({ text }) => JSON.parse(text) as Action, signal);
  return { ...(JSON.parse(first.text) as Omit<Ownership, 'history'>), history };
}

/** Null: no known owner. Undefined: no such resource. */
export async function readOwner(
  db: Queryable,
  projectId: string,
  cid: string,
): Promise<string | null | undefined> {
  const [row] = await db.query<{ owner: string | null }>(
    `select coalesce(r.owner_id, r.created_by) as owner from provenance.resource r
     where r.project_id = $1 and r.cid = provenance.resolve($1, $2)`,
    [projectId, cid],
  );
  return row?.owner;
}

/** Actions that are not stored do not count. */
export async function hasForeignAction(
  db: Queryable,
  projectId: string,
  { actionIds, entityId }: { actionIds: readonly string[]; entityId: string },
): Promise<boolean> {
  if (actionIds.length === 0) return false;
  const rows = await db.query(
    `select 1 from provenance.action a
     where a.project_id = $1 and a.id = any($2::uuid[]) and a.performed_by <> $3 limit 1`,
    [projectId, actionIds, entityId],
  );
  return rows.length > 0;
}

/** Content without a known owner counts. Content without a record does not count. The CIDs may be aliases. */
export async function hasForeignContent(
  db: Queryable,
  projectId: string,
  { cids, entityId }: { cids: readonly string[]; entityId: string },
): Promise<boolean> {
  if (cids.length === 0) return false;
  const rows = await db.query(
    `select 1 from (select provenance.resolve($1, given.cid) as cid from unnest($2::text[]) as given(cid) offset 0) named,
       lateral (select coalesce(r.owner_id, r.created_by) as owner from provenance.resource r
         where r.project_id = $1 and r.cid = named.cid offset 0) content
     where content.owner is distinct from $3 limit 1`,
    [projectId, cids, entityId],
  );
  return rows.length > 0;
}

/** Reads the action and its oldest attribution. */
export async function readEvent(
  db: Queryable,
  projectId: string,
  actionId: string,
): Promise<{ action: Action; attribution: Attribution } | undefined> {
  const [row] = await db.query<{ action: Action; attribution: Attribution }>(
    // Chooses the attribution first, so that the statement reads only the JSON of this one.
    `select provenance.action_json(a) as action, provenance.attribution_json(t) as attribution
     from provenance.action a,
       lateral (select t.id from provenance.attribution t where t.project_id = $1 and t.action_id = a.id
                order by t.created_at limit 1) first,
       lateral (select t.* from provenance.attribution t where t.project_id = $1 and t.id = first.id offset 0) t
     where a.project_id = $1 and a.id = $2`,
    [projectId, actionId],
  );
  return row;
}
