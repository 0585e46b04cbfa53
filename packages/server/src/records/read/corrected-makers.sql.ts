import { CORRECTION_EXTENSION, findCorrections, lastCorrection } from '@colophon/model';
import type { Queryable } from '../../platform/db/database.js';
import { limitClause } from '../../platform/db/limit-clause.js';
import { MAX_NAMED_BYTES, toBody } from './record-text.sql.js';

/** Maximum number of contents whose corrections one statement reads. */
export const MAX_CORRECTED_CONTENTS = 50;
/** Maximum number of actions of a content. The statement skips contents with more actions. */
const MAX_ACTIONS = 8;
/** Maximum size, in bytes, of each of these actions. The statement skips contents with a larger action. */
const MAX_ACTION_BYTES = 4_096;

/** The performer of the last correction. `name` is absent for an entity without a name, or with more than 8 KiB. */
export interface CorrectedMaker {
  id: string;
  name?: string;
}

interface ActionRow {
  cid: string;
  createdBy: string | null;
  id: string;
  performedBy: string;
  outputCids: string[];
  /** The id of the action that this action corrects. */
  corrects: string | null;
  name: string | null;
}

/**
 * Reads who made contents according to the last correction, by canonical CID. Leaves out contents whose first
 * creator is not corrected. Most contents have one action, so the statement reads one entry of an index for each of them.
 */
export async function readCorrectedMakers(
  db: Queryable,
  projectId: string,
  cids: readonly string[],
): Promise<Map<string, CorrectedMaker>> {
  if (cids.length === 0) return new Map();
  const rows = await db.query<ActionRow>(
    `select acts.cid, made.created_by as "createdBy", acts.id, acts.performed_by as "performedBy",
       acts.outputs as "outputCids", acts.corrects, named.name
     from (
       select found.*, bool_or(found.corrects is not null) over content as is_corrected,
         bool_or(found.is_large) over content as has_large
       from (
         select several.cid, a.*
         from (
           select given.cid, array(
             select o.action_id from provenance.action_output o where o.project_id = $1 and o.cid = given.cid
             order by o.action_id ${limitClause(MAX_ACTIONS + 1)}
           ) as ids
           from unnest($2::text[]) as given(cid) offset 0
         ) several, lateral unnest(several.ids) as one(id),
           lateral (
             select a.id, a.performed_by, a.outputs, a.leaf_index, a.weight_bytes > ${MAX_ACTION_BYTES} as is_large,
               case when a.weight_bytes <= ${MAX_ACTION_BYTES}
                 then (${toBody('a')})->'extensions'->'${CORRECTION_EXTENSION}'->>'actionId' end as corrects
             from provenance.action a where a.project_id = $1 and a.id = one.id offset 0
           ) a
         where cardinality(several.ids) between 2 and ${MAX_ACTIONS}
       ) found
       window content as (partition by found.cid)
     ) acts,
       lateral (select r.created_by from provenance.resource r
         where r.project_id = $1 and r.cid = acts.cid offset 0) made
       left join lateral (select (${toBody('e')})->>'name' as name from provenance.entity e
         where e.project_id = $1 and e.id = acts.performed_by and e.weight_bytes <= ${MAX_NAMED_BYTES} offset 0) named
         on true
     where acts.is_corrected and not acts.has_large
     order by acts.cid, acts.leaf_index`,
    [projectId, cids],
  );
  return toMakers(rows);
}

/** Returns the corrected makers. The rows of a content are in the order of their recording. */
function toMakers(rows: readonly ActionRow[]): Map<string, CorrectedMaker> {
  const makers = new Map<string, CorrectedMaker>();
  for (const cid of new Set(rows.map((row) => row.cid))) {
    const actions = rows.filter((row) => row.cid === cid);
    const first = actions.find(({ performedBy, createdBy }) => performedBy === createdBy);
    if (first === undefined) continue;
    const corrections = findCorrections(
      actions.map(({ corrects, ...action }) => ({
        ...action,
        extensions: corrects === null ? {} : { [CORRECTION_EXTENSION]: { actionId: corrects } },
      })),
    );
    const last = actions.find(({ id }) => id === lastCorrection(corrections, first.id));
    if (last === undefined || last.performedBy === first.performedBy) continue;
    makers.set(cid, { id: last.performedBy, ...(last.name === null ? {} : { name: last.name }) });
  }
  return makers;
}
