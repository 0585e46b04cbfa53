-- Fills the columns and the table of 0160. Reads go on meanwhile. Recordings wait while the indexes are built, and for rows
-- that the update changes.
set local statement_timeout = 0;

update provenance.resource r set ai = found.ai, tool = found.tool
from (
  select said.project_id, said.cid, max(said.ai)::smallint as ai, (array_agg(
      left(concat_ws(' ', said.tool->>'provider', said.tool->>'model', said.tool->>'version'), 500) order by said.at)
    filter (where jsonb_typeof(said.tool->'provider') = 'string' and jsonb_typeof(said.tool->'model') = 'string'))[1] as tool
  from (
    select a.project_id, o.cid, a.recorded_at as at,
      case
        when (a.type = 'generate' or e.id is not null) and a.type not in ('reference', 'verify')
          or a.body->'extensions'->'ext:mark@1.0.0'->>'aiDisclosure' = 'ai_generated' then 3
        when a.type = 'generate' or e.id is not null or a.body ? 'aiTool'
          or a.body->'extensions' @? '$.keyvalue().key ? (@ starts with "ext:ai@")'
          or a.body->'extensions'->'ext:mark@1.0.0'->>'aiDisclosure' = 'ai_assisted' then 2
        when a.body->'extensions'->'ext:mark@1.0.0'->'aiDisclosure' = 'null' then 1
        else 0 end as ai,
      coalesce(a.body->'aiTool', case when a.body->'extensions'->'ext:ai@1.0.0' ? 'provider'
        then a.body->'extensions'->'ext:ai@1.0.0' else a.body->'extensions'->'ext:ai@1.0.0'->'tool' end) as tool
    from provenance.action a
    join provenance.action_output o on o.project_id = a.project_id and o.action_id = a.id
    left join provenance.entity e on e.project_id = a.project_id and e.id = a.performed_by and e.role = 'ai'
    union all
    select t.project_id, o.cid, null, 2, null
    from provenance.attribution t
    join provenance.entity e on e.project_id = t.project_id and e.id = t.entity_id and e.role = 'ai'
    join provenance.action_output o on o.project_id = t.project_id and o.action_id = t.action_id
    union all
    select t.project_id, t.cid, null, 2, null
    from provenance.attribution t
    join provenance.entity e on e.project_id = t.project_id and e.id = t.entity_id and e.role = 'ai'
    where t.cid is not null
    union all
    select s.project_id, s.cid, null, case
        when s.extensions->'ext:c2pa@1.0.0'->>'aiDisclosure' = 'ai_generated'
          or s.extensions->'ext:c2pa@1.0.0'->'aiDisclosure'->'isAIGenerated' = 'true' then 3
        when s.extensions->'ext:c2pa@1.0.0'->>'aiDisclosure' = 'ai_assisted' then 2
        when s.extensions->'ext:c2pa@1.0.0'->'aiDisclosure' = 'null' then 1
        else 0 end, null
    from provenance.resource s where s.extensions is not null
  ) said
  group by said.project_id, said.cid
) found
where r.project_id = found.project_id and r.cid = found.cid and found.ai > 0;

create index resource_ai_level on provenance.resource (project_id, ai, created_at desc, cid desc) where ai > 0;
create index resource_tool on provenance.resource (project_id, tool, created_at desc, cid desc) where tool is not null;

-- The functions get their bodies after the migrations, so the expressions of title_words() are here too.
insert into provenance.title_word (project_id, cid, word)
select distinct t.project_id, t.cid, left(w.word, 64)
from provenance.content_title t, lateral regexp_split_to_table(
  translate(lower(regexp_replace(normalize(t.title, NFKD), '[\u0300-\u036f]', '', 'g') collate "C"),
    'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐÆŒÞØøŁłĐđı',
    'αβγδεζηθικλμνξοπρστυφχψωσабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґæœþoollddi'),
  '[\s!-/:-@\[-`{-~\u00a0-\u00bf\u2000-\u206f\u3000-\u303f]+') as w(word)
where w.word <> ''
on conflict do nothing;
