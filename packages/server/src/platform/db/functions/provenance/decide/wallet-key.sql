-- Upper case in an EVM address is only a checksum (EIP-55).
create or replace function provenance.wallet_key(p_wallet text) returns text
language sql immutable as $$
  select case when p_wallet ~ '^0x[0-9a-fA-F]{40}$' then lower(p_wallet) else p_wallet end
$$;
