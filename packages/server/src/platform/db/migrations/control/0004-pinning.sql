-- Where the content of a project is pinned. Null: where the configuration says.
alter table control.project
  add column storage_type text check (storage_type in ('local', 'ipfs')),
  add column ipfs_provider text check (ipfs_provider in ('pinata', 'kubo')),
  add column ipfs_gateway text,
  -- Sealed with SECRETS_KEY; never shown.
  add column sealed_ipfs_key text;
