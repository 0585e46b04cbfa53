-- Replaces the descending indexes by those of 0179. A transaction of its own cannot deadlock with a recording that waits
-- for the end of 0179. The lock comes first, so no recording can read the table and then wait for this transaction.
lock table provenance.resource in access exclusive mode;

drop index provenance.resource_created;
drop index provenance.resource_type;
drop index provenance.resource_creator;
drop index provenance.resource_ai;
drop index provenance.resource_ai_level;
drop index provenance.resource_tool;
alter index provenance.resource_created_next rename to resource_created;
alter index provenance.resource_type_next rename to resource_type;
alter index provenance.resource_creator_next rename to resource_creator;
alter index provenance.resource_ai_next rename to resource_ai;
alter index provenance.resource_ai_level_next rename to resource_ai_level;
alter index provenance.resource_tool_next rename to resource_tool;
