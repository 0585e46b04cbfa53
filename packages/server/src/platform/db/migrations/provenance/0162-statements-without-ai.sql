-- A statement of a person that no AI was used is no mark. A null disclosure does not mark an action with an AI tool, or a
-- content whose manifest states the use of AI. Recordings wait while the indexes are built.
set local statement_timeout = 0;

drop index provenance.action_marked;
create index action_marked on provenance.action (project_id, recorded_at desc, id desc)
  where body->'extensions' ? 'ext:mark@1.0.0'
    and body->'extensions'->'ext:mark@1.0.0' <> '{"aiDisclosure":null,"generator":{"name":"unknown"}}'::jsonb;
create index action_ai_marked on provenance.action (project_id, recorded_at desc, id desc)
  where body->'extensions'->'ext:mark@1.0.0'->>'aiDisclosure' is not null;
drop index provenance.action_ai_unmarked;
create index action_ai_unmarked on provenance.action (project_id, recorded_at desc, id desc)
  where body->'extensions' ? 'ext:ai@1.0.0' and body->'extensions'->'ext:mark@1.0.0'->>'aiDisclosure' is null;
