-- Lists the publications of a content in its project. Recordings and reads go on while the index is built, but publications
-- wait.
set local statement_timeout = 0;

create index publication_list_of_content on control.publication (project_id, cid, created_at, id);
