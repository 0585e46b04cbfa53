-- Attributions of a content, newest first. It replaces an index without an order, on the same rows.
create index attribution_of_content on provenance.attribution (project_id, cid, created_at desc, id desc)
  where cid is not null;
drop index provenance.attribution_content;
