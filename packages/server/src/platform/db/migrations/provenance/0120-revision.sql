-- A number for each state of a project's records, which a transaction that changes what is shown of them makes larger:
-- an answer that was made at a number is the answer for as long as it stands (decision 38).
create table provenance.revision (
  project_id uuid primary key,
  number     bigint not null
) with (fillfactor = 20);

insert into provenance.revision (project_id, number)
select project_id, (extract(epoch from clock_timestamp()) * 1000000)::bigint from provenance.anchor_due;

-- Triggers note the changes that record() does not. Their functions get their bodies after the migrations; on Supabase
-- they may be there already.
do $make$
begin
  if to_regprocedure('provenance.note_changed_row()') is null then
    create function provenance.note_changed_row() returns trigger language plpgsql as $$ begin return null; end $$;
  end if;
end
$make$;
do $make$
begin
  if to_regprocedure('provenance.note_changed_anchor()') is null then
    create function provenance.note_changed_anchor() returns trigger language plpgsql as $$ begin return null; end $$;
  end if;
end
$make$;

create trigger pin_changed after insert or update or delete on provenance.pin
  for each row execute function provenance.note_changed_row();
-- While there is a job for a pin, it is pending.
create trigger pin_job_changed after update of state on provenance.outbox
  for each row when (new.kind = 'pin' and new.state <> old.state) execute function provenance.note_changed_row();
create trigger pin_job_removed after delete on provenance.outbox
  for each row when (old.kind = 'pin') execute function provenance.note_changed_row();
create trigger anchor_head_changed after insert or delete or update of size, anchor_id, origin, place, path
  on provenance.anchor_head for each row execute function provenance.note_changed_row();
create trigger anchor_changed after update on provenance.anchor
  for each row when (new.* is distinct from old.*) execute function provenance.note_changed_anchor();
-- An anchor finds the projects whose heads it is over.
create index anchor_head_anchor on provenance.anchor_head (anchor_id);
