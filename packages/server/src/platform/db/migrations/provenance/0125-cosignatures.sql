-- Cosignature lines of witnesses (C2SP tlog-cosignature) over the checkpoint of a project's log at a size. `witness` is
-- the witness's key as text. A row never changes.
create table provenance.cosignature (
  project_id  uuid        not null,
  witness     text        not null,
  size        bigint      not null check (size >= 0),
  line        text        not null,
  cosigned_at timestamptz not null default now(),
  primary key (project_id, witness, size)
);
create index cosignature_size on provenance.cosignature (project_id, size);

-- A receipt shows the newest cosigned checkpoint.
create trigger cosignature_changed after insert on provenance.cosignature
  for each row execute function provenance.note_changed_row();
