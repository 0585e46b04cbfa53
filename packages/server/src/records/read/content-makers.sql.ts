import {
  CORRECTION_EXTENSION,
  findCorrections,
  lastCorrection,
  listWorkMakers,
  MARK_EXTENSION,
  markedInput,
} from '@colophon/model';
import type { Queryable } from '../../platform/db/database.js';
import { limitClause } from '../../platform/db/limit-clause.js';
import { MAX_NAMED_BYTES, toBody } from './record-text.sql.js';

/** Maximum number of contents whose makers one statement reads. */
export const MAX_MADE_CONTENTS = 50;
/** Maximum number of actions of a content. Contents with more actions are skipped. */
const MAX_ACTIONS = 8;
/** Maximum size of each action, in bytes. Contents with a larger action are skipped. */
const MAX_ACTION_BYTES = 4_096;
/** Maximum number of marks between a content and its original. Beyond it, the first creator counts as the maker. */
const MAX_MARKS = 3;
/** Maximum number of actions that one statement reads. Actions of the contents come first, then of their originals. */
const MAX_ROWS = 4 * MAX_MADE_CONTENTS * MAX_ACTIONS;

/** `name` is absent if the entity has no name, or if its record has more than 8 KiB. */
export interface Maker {
  id: string;
  name?: string;
}

/** The performers of the actions that made a content and are not corrected. */
export interface ContentMakers {
  /** For a marked copy, the makers of its original. Never empty. */
  makers: Maker[];
  /** Whether the first creator is the only maker. */
  isCreatorAlone: boolean;
  /**
   * The performer of the last correction of the first creator's action. Absent without a correction, and if the first
   * creator made the last correction.
   */
  correctedMaker?: Maker;
}

/** A content without actions, or with more than `MAX_ACTIONS`, has one row with only `cid`, `createdBy` and `name`. */
interface MakingRow {
  cid: string;
  createdBy: string | null;
  isLarge: boolean | null;
  /** Number of actions of the content. */
  total: number | null;
  id: string | null;
  type: string;
  performedBy: string | null;
  inputCids: string[] | null;
  outputCids: string[] | null;
  /** The id of the action that this action corrects. */
  corrects: string | null;
  mark: { markedCid?: unknown } | null;
  /** The canonical CID of `markedCid`. */
  marked: string | null;
  /** The first creator of the content `marked`. */
  markedBy: string | null;
  markedName: string | null;
  name: string | null;
}
type Acted = MakingRow & { id: string; performedBy: string };

const BODY = toBody('a');
const toName = (id: string) => `(select (${toBody('e')})->>'name' from provenance.entity e
  where e.project_id = $1 and e.id = ${id} and e.weight_bytes <= ${MAX_NAMED_BYTES})`;

/** SQL for the creator and the actions of the content `cid`, or one row without an action. */
const toActed = (cid: string) => `lateral (
    select r.created_by from provenance.resource r where r.project_id = $1 and r.cid = ${cid} offset 0
  ) made
  left join lateral (
    select a.*, provenance.resolve($1, a.mark->>'markedCid') as marked, cardinality(several.ids) as total
    from (
      select array(select o.action_id from provenance.action_output o where o.project_id = $1 and o.cid = ${cid}
        order by o.action_id ${limitClause(MAX_ACTIONS + 1)}) as ids offset 0
    ) several, lateral unnest(several.ids) as one(id),
      lateral (
        select stated.*, case when stated.mark is not null then stated.used end as inputs
        from (
          select a.id, a.type, a.performed_by, a.leaf_index, a.weight_bytes > ${MAX_ACTION_BYTES} as is_large,
            case when a.weight_bytes <= ${MAX_ACTION_BYTES} then a.inputs end as used,
            case when a.weight_bytes <= ${MAX_ACTION_BYTES} then a.outputs end as outputs,
            case when a.weight_bytes <= ${MAX_ACTION_BYTES}
              then (${BODY})->'extensions'->'${CORRECTION_EXTENSION}'->>'actionId' end as corrects,
            case when a.weight_bytes <= ${MAX_ACTION_BYTES}
              then (${BODY})->'extensions'->'${MARK_EXTENSION}' end as mark
          from provenance.action a where a.project_id = $1 and a.id = one.id offset 0
        ) stated offset 0
      ) a
    where cardinality(several.ids) <= ${MAX_ACTIONS}
  ) acted on true`;

/**
 * Omits contents without a row in `content_maker`: their first creator is the only maker. So for most contents, the
 * statement reads only one index entry. The first creator also counts as the only maker in two cases: a limit prevents
 * the statement from reading all actions, or no maker is recorded.
 */
export async function readMakers(
  db: Queryable,
  projectId: string,
  cids: readonly string[],
): Promise<Map<string, ContentMakers>> {
  if (cids.length === 0) return new Map();
  const rows = await db.query<MakingRow>(
    `with recursive step as (
       select given.cid, 0 as depth, made.created_by, acted.*
       from unnest($2::text[]) as given(cid), ${toActed('given.cid')}
       where (select 1 from provenance.content_maker m
         where m.project_id = $1 and m.cid = given.cid limit 1) is not null
       union
       select marking.marked, marking.depth + 1, made.created_by, acted.*
       from step marking, ${toActed('marking.marked')}
       where marking.marked is not null and marking.depth < ${MAX_MARKS}
     )
     select s.cid, s.created_by as "createdBy", s.is_large as "isLarge", s.id, s.type, s.performed_by as "performedBy",
       s.inputs as "inputCids", s.outputs as "outputCids", s.corrects, s.mark, s.marked, s.total,
       ${toName('coalesce(s.performed_by, s.created_by)')} as name,
       source.created_by as "markedBy", ${toName('source.created_by')} as "markedName"
     from (select * from step ${limitClause(MAX_ROWS)}) s
       left join lateral (select r.created_by from provenance.resource r
         where r.project_id = $1 and r.cid = s.marked offset 0) source on true
     order by s.leaf_index`,
    [projectId, cids],
  );
  return toMakers(rows, cids);
}

/** `rows` are in the order of their recording. */
function toMakers(rows: readonly MakingRow[], cids: readonly string[]): Map<string, ContentMakers> {
  const works = toWorks(rows);
  const acted = rows.filter(isActed);
  const corrections = findCorrections(acted.map(toCorrecting));
  const skipped = [...works.values()].filter((work) => work.actions === undefined);
  const steps = [
    ...acted
      .filter(({ cid, id }) => !corrections.has(id) && works.get(cid)?.actions !== undefined)
      .map(toStep),
    ...skipped.flatMap(({ cid, creator }) =>
      creator === null ? [] : [{ type: 'create', by: creator, outputs: [cid] }],
    ),
  ];
  const names = new Map([
    ...rows.map(({ markedBy, markedName }) => [markedBy, markedName] as const),
    ...rows.map(({ performedBy, createdBy, name }) => [performedBy ?? createdBy, name] as const),
  ]);
  const toMaker = (id: string): Maker => {
    const name = names.get(id) ?? undefined;
    return { id, ...(name === undefined ? {} : { name }) };
  };
  const found = new Map<string, ContentMakers>();
  for (const { cid, creator, actions = [] } of works.values()) {
    if (!cids.includes(cid)) continue;
    const made = [...listWorkMakers(steps, cid)];
    const makers = made.length === 0 && creator !== null ? [creator] : made;
    if (makers.length === 0) continue;
    const corrected = findCorrected(actions, { creator, corrections });
    found.set(cid, {
      makers: makers.map(toMaker),
      isCreatorAlone: makers.length === 1 && makers[0] === creator,
      ...(corrected === undefined ? {} : { correctedMaker: toMaker(corrected) }),
    });
  }
  return found;
}

/** `actions` is undefined if the statement did not read all of them. */
interface RecordedWork {
  cid: string;
  creator: string | null;
  actions: Acted[] | undefined;
}

function toWorks(rows: readonly MakingRow[]): Map<string, RecordedWork> {
  const read = new Map<string, MakingRow[]>();
  for (const row of rows) read.set(row.cid, [...(read.get(row.cid) ?? []), row]);
  const works = new Map([...read.values()].map(toWork).map((work) => [work.cid, work]));
  for (const { marked: cid, markedBy: creator } of rows)
    if (cid !== null && !works.has(cid)) works.set(cid, { cid, creator, actions: undefined });
  return works;
}

function toWork(read: MakingRow[]): RecordedWork {
  const actions = read.filter(isActed);
  // A content can be in several chains, so its actions can be in several rows.
  const isWhole = new Set(actions.map(({ id }) => id)).size === actions[0]?.total;
  const isSkipped = !isWhole || actions.some(({ isLarge }) => isLarge);
  const { cid = '', createdBy: creator = null } = read[0] ?? {};
  return { cid, creator, actions: isSkipped ? undefined : actions };
}

const isActed = (row: MakingRow): row is Acted => row.id !== null;

function toCorrecting({ id, outputCids, corrects }: Acted) {
  const extensions = corrects === null ? {} : { [CORRECTION_EXTENSION]: { actionId: corrects } };
  return { id, outputCids: outputCids ?? [], extensions };
}

function toStep({ cid, type, performedBy: by, inputCids, outputCids, mark, marked }: Acted) {
  const action = {
    inputCids: inputCids ?? [],
    outputCids: outputCids ?? [],
    extensions: { [MARK_EXTENSION]: mark },
  };
  const canonical = (name: string) => (name === mark?.markedCid ? (marked ?? name) : name);
  return { type, by, outputs: [cid], markedCid: markedInput(action, canonical) };
}

function findCorrected(
  actions: readonly Acted[],
  { creator, corrections }: Pick<RecordedWork, 'creator'> & { corrections: ReadonlyMap<string, string> },
): string | undefined {
  const first = actions.find(({ performedBy }) => performedBy === creator);
  if (first === undefined) return undefined;
  const last = actions.find(({ id }) => id === lastCorrection(corrections, first.id));
  return last === undefined || last.performedBy === creator ? undefined : last.performedBy;
}
