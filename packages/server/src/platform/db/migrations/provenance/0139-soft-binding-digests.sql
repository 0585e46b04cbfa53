-- The public detector resolves the watermark of a picture without a project. New payloads must be unused everywhere.
create index soft_binding_digest on provenance.soft_binding (digest);
