-- Networks of sign-ins with a password. The password checks of these networks wait in a queue of their own.
create table control.sign_in_network (
  -- An IPv4 address, or an IPv6 network such as `2001:db8:7:7::/64`.
  network    text primary key,
  -- The account that signed in first. All networks of an account share the turns of the account in the queue.
  account_id text not null references control.account,
  -- Time of the newest sign-in.
  at         timestamptz not null default now()
);
create index sign_in_network_at on control.sign_in_network (at);
