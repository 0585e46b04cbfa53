-- Finds the publications of a content in all projects, for the public detector.
create index publication_live on control.publication (cid) where revoked_at is null;
