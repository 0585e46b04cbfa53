-- The entity in whose name alone a key records; null: any. Its records are in the other layer. Whoever may do everything
-- in a project is bound to nobody.
alter table control.api_key add column entity_id text check (entity_id is null or permission <> 'admin');
