-- Returns the same key for equal wallets. The key of an EVM address is in lower case, because upper case is only a
-- checksum (EIP-55).
create or replace function provenance.wallet_key(p_wallet text) returns text
language sql immutable as $$
  select case when p_wallet ~ '^0x[0-9a-fA-F]{40}$' then lower(p_wallet) else p_wallet end
$$;
