create or replace function provenance.note_changed_row() returns trigger
language plpgsql as $$
begin
  perform provenance.note_change(case when tg_op = 'DELETE' then old.project_id else new.project_id end);
  return null;
end
$$;
