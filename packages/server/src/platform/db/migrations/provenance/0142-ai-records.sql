-- Actions that mark a content, and actions with an AI tool that do not, newest first.
create index action_marked on provenance.action (project_id, recorded_at desc, id desc)
  where body->'extensions' ? 'ext:mark@1.0.0';
create index action_ai_unmarked on provenance.action (project_id, recorded_at desc, id desc)
  where body->'extensions' ? 'ext:ai@1.0.0' and not body->'extensions' ? 'ext:mark@1.0.0';
-- Contents whose manifest states that AI took part, newest first.
create index resource_ai on provenance.resource (project_id, created_at desc, cid desc)
  where extensions->'ext:c2pa@1.0.0'->>'aiDisclosure' is not null;
