-- Content Credentials are looked up by the label of their manifest.
create index resource_manifest on provenance.resource
  (project_id, (extensions->'ext:c2pa@1.0.0'->>'manifestLabel'))
  where extensions->'ext:c2pa@1.0.0'->>'manifestLabel' is not null;
