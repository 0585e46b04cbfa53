import type { OwnAiLevel, RecordKind, Salts } from '@colophon/model';
/** SQL: whether the project $1 has an anchor. */
export const ANCHORED =
  '(select h.size from provenance.anchor_head h where h.project_id = $1 order by h.size limit 1) is not null';

/** SQL equal to `provenance.instant()`. */
const instant = (time: string) => `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL for the body of a record without erased fields. `r`: alias of its table. */
export const toBody = (r: string) =>
  `case when ${r}.erasure is null then ${r}.body else provenance.without_erased(${r}.body, ${r}.erasure) end`;

/** SQL for the API's JSON text of an entity or an attribution. */
export const toRecordText = (r: string): string => `(${toBody(r)})::text`;

/** SQL equal to `action_json()`. `anchored`: SQL such as `ANCHORED`. */
export const toActionText = (r: string, anchored: string): string =>
  `(${toBody(r)} || jsonb_build_object('recordedAt', ${instant(`${r}.recorded_at`)},
    'digest', 'sha256:' || encode(${r}.digest, 'hex'))
  || case when ${anchored} then provenance.onchain_json($1, ${r}.leaf_index) else '{}' end)::text`;

/** SQL for the log leaf of a record. `kind`: SQL for the record's kind. */
export const toLeafJson = (kind: string, r: string): string =>
  `(jsonb_build_object('kind', ${kind}, 'id', ${r}.id, 'digest', 'sha256:' || encode(${r}.digest, 'hex'),
    'leafIndex', ${r}.leaf_index, 'salts', ${r}.salts) || case when ${r}.erasure is null or ${r}.erasure->'fields' = '[]' then '{}'::jsonb
  else jsonb_build_object('erased', provenance.commitments(${r}.body, ${r}.erasure)) end)`;

const toTitleText = (r: string) =>
  `coalesce((select ', "title": ' || to_json(t.title)::text from provenance.content_title t
    where t.project_id = $1 and t.cid = ${r}.cid), '')`;

/** The index of a level is its number in the column `ai`. */
export const OWN_AI_LEVELS: readonly OwnAiLevel[] = ['unstated', 'human', 'assisted', 'generated'];

const toAiText = (r: string) =>
  `'"ai": "' || (array[${OWN_AI_LEVELS.map((level) => `'${level}'`).join(', ')}])[${r}.ai + 1] || '", '`;

/** Maximum size of an entity in bytes. The SQL does not read the name of a larger entity. */
export const MAX_NAMED_BYTES = 8_192;

const toCreatorText = (r: string) =>
  `coalesce((select ', "creatorName": ' || to_json((${toBody('e')})->>'name')::text from provenance.entity e
    where e.project_id = $1 and e.id = ${r}.created_by and e.weight_bytes <= ${MAX_NAMED_BYTES}), '')`;

/** An array with a larger `pg_column_size` has items. The size is known without reading the items of a long array. */
const EMPTY_ARRAY_BYTES = 16;

/** The result is empty if the first action used no other content. */
const toSourcesText = (r: string) =>
  `coalesce((select ', "hasSources": true' from provenance.action a
    where a.project_id = $1 and a.id = ${r}.root_action and pg_column_size(a.inputs) > ${EMPTY_ARRAY_BYTES}), '')`;

export const toTitledResourceText = (r: string): string =>
  toResourceText(r, {
    ai: toAiText(r),
    tool: `coalesce(', "tool": ' || to_json(${r}.tool)::text, '')`,
    title: toTitleText(r),
    sources: toSourcesText(r),
    creator: toCreatorText(r),
  });

const NO_MEMBER = `''`;
const NO_MEMBERS = {
  ai: NO_MEMBER,
  tool: NO_MEMBER,
  title: NO_MEMBER,
  sources: NO_MEMBER,
  creator: NO_MEMBER,
};

/** SQL equal to `resource_json()`, except for the members of the second parameter. Sorted as in a `jsonb`. */
export const toResourceText = (
  r: string,
  { ai, tool, title, sources, creator } = NO_MEMBERS,
): string => `'{' || ${ai} || '"cid": ' || to_json(${r}.cid)::text || coalesce(', "size": ' || ${r}.size_bytes, '') ||
  ${tool} || ', "type": ' || to_json(${r}.type)::text || coalesce(', "owner": ' || to_json(${r}.owner_id)::text, '') ||
  ', "state": ' || coalesce(to_json(${r}.state)::text, 'null') || ${title} || coalesce(', "mimeType": ' || to_json(${r}.mime_type)::text, '') ||
  ', "createdAt": "' || ${instant(`${r}.created_at`)} || '"' || coalesce(', "createdBy": ' || to_json(${r}.created_by)::text, '') ||
  ', "locations": ' || case
    when ${r}.content_digest is null then '[]'
    when not ${r}.has_pins then '[{"uri": ' || to_json('/v1/resource/' || ${r}.cid || '/content')::text || ', "provider": "colophon"}]'
    else (select provenance.locations(p) from provenance.resource p where p.project_id = $1 and p.cid = ${r}.cid)::text end ||
  coalesce(', "extensions": ' || ${r}.extensions::text, '') || ${sources} || ', "rootAction": "' || ${r}.root_action || '"' || ${creator} || '}'`;

export interface RecordLeaf {
  kind: RecordKind;
  id: string;
  digest: string;
  leafIndex: number;
  salts: Salts;
  /** The commitment (base64) of each erased field, by JSON Pointer. */
  erased?: Record<string, string>;
}
