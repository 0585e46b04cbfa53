-- Networks of sign-ins with a password. The password checks of these networks wait in a queue of their own.
create table control.sign_in_network (
  -- An IPv4 address, or an IPv6 network such as `2001:db8:7:7::/64`.
  network    text not null,
  account_id text not null references control.account,
  -- Time of the account's first sign-in from the network. After 30 days without a sign-in, the next one is the first.
  first_at   timestamptz not null default now(),
  -- Time of a sign-in of the account from the network: of the newest one, or of one in the 24 hours before it.
  at         timestamptz not null default now(),
  primary key (network, account_id)
);
create index sign_in_network_at on control.sign_in_network (at);
