-- Actions, oldest first. A descending index has the newest record at the start of its project, where PostgreSQL splits each
-- full page in two halves. An ascending index has it at the end, so its pages stay full. Lists read it backwards.
-- Reads go on while the indexes are built. Recordings wait. The next migration replaces the former indexes.
set local statement_timeout = 0;

create index action_recorded_next on provenance.action (project_id, recorded_at, id);
create index action_type_next on provenance.action (project_id, type, recorded_at, id);
create index action_performer_next on provenance.action (project_id, performed_by, recorded_at, id);
create index action_session_next on provenance.action (project_id, session_id, recorded_at, id)
  where session_id is not null;
create index action_marked_next on provenance.action (project_id, recorded_at, id)
  where body->'extensions' ? 'ext:mark@1.0.0'
    and body->'extensions'->'ext:mark@1.0.0' <> '{"aiDisclosure":null,"generator":{"name":"unknown"}}'::jsonb;
create index action_ai_marked_next on provenance.action (project_id, recorded_at, id)
  where body->'extensions'->'ext:mark@1.0.0'->>'aiDisclosure' is not null;
create index action_ai_unmarked_next on provenance.action (project_id, recorded_at, id)
  where body->'extensions' ? 'ext:ai@1.0.0' and body->'extensions'->'ext:mark@1.0.0'->>'aiDisclosure' is null;
