-- Contents, oldest first, for the reason that 0175 states. Reads go on while the indexes are built. Recordings wait.
set local statement_timeout = 0;

create index resource_created_next on provenance.resource (project_id, created_at, cid);
create index resource_type_next on provenance.resource (project_id, type, created_at, cid);
create index resource_creator_next on provenance.resource (project_id, created_by, created_at, cid)
  where created_by is not null;
create index resource_ai_next on provenance.resource (project_id, created_at, cid)
  where extensions->'ext:c2pa@1.0.0'->>'aiDisclosure' is not null;
create index resource_ai_level_next on provenance.resource (project_id, ai, created_at, cid) where ai > 0;
create index resource_tool_next on provenance.resource (project_id, tool, created_at, cid) where tool is not null;
