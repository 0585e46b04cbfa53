-- Finds the addresses from which a user signed in, newest first. Changes wait while the index is built.
set local statement_timeout = 0;

create index audit_entry_sign_in on control.audit_entry (account_id, at desc)
  where action in ('account.create', 'session.begin');
