-- How a local account proves who it is: scrypt (RFC 7914) of its password, with the parameters that made it.
create table control.password (
  account_id  text primary key references control.account,
  cost_log2   smallint not null,
  block_size  smallint not null,
  parallelism smallint not null,
  salt        bytea not null,
  derived     bytea not null,
  updated_at  timestamptz not null default now()
);

-- Users who are signed in on the page.
create table control.session (
  -- SHA-256 of the token, which the browser's cookie alone holds.
  token_digest bytea primary key,
  account_id   text not null references control.account,
  -- `password`, or the issuer of the OpenID provider.
  way          text not null,
  created_at   timestamptz not null default now(),
  seen_at      timestamptz not null default now(),
  expires_at   timestamptz not null
);
create index session_account on control.session (account_id);
create index session_expires on control.session (expires_at);

-- Makes whoever uses it first a member; then it is gone.
create table control.invitation (
  token_digest bytea primary key,
  org_id       uuid not null references control.org,
  role         text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  made_by      text not null references control.account,
  expires_at   timestamptz not null
);
create index invitation_expires on control.invitation (expires_at);
