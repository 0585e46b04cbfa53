-- Counts the live publications of a project, without those that are revoked or expired.
create index publication_of_project on control.publication (project_id, expires_at) where revoked_at is null;
