import type { Queryable, Tx } from '../db/database.js';

/** The right to do one kind of work, which only one node has at a time. */
export interface Lease {
  name: string;
  /** UUID of the node that has or requests the lease. */
  holder: string;
  seconds: number;
}

export async function takeLease(db: Queryable, { name, holder, seconds }: Lease): Promise<boolean> {
  const rows = await db.query(
    `insert into provenance.lease as l (name, holder, until) values ($1, $2, now() + make_interval(secs => $3))
     on conflict (name) do update set holder = excluded.holder, until = excluded.until
     where l.holder = excluded.holder or l.until <= now()
     returning name`,
    [name, holder, seconds],
  );
  return rows.length === 1;
}

/** Extends the lease, or throws LeaseLostError. No other node can take the lease until the transaction ends. */
export async function assertLease(tx: Tx, { name, holder, seconds }: Lease): Promise<void> {
  const rows = await tx.query(
    `update provenance.lease set until = greatest(until, now() + make_interval(secs => $3))
     where name = $1 and holder = $2 and until > now() returning name`,
    [name, holder, seconds],
  );
  if (rows.length === 0) throw new LeaseLostError(name);
}

export async function releaseLease(db: Queryable, { name, holder }: Lease): Promise<void> {
  await db.query('update provenance.lease set until = now() where name = $1 and holder = $2', [name, holder]);
}

export async function deleteLease(db: Queryable, { name, holder }: Lease): Promise<void> {
  await db.query('delete from provenance.lease where name = $1 and holder = $2', [name, holder]);
}

export class LeaseLostError extends Error {
  constructor(name: string) {
    super(`This node no longer has the lease ${name}`);
    this.name = 'LeaseLostError';
  }
}

/** Releases a lease of any holder. For the start of a process that is the only user of its database. */
export async function endLease(db: Queryable, name: string): Promise<void> {
  await db.query('update provenance.lease set until = now() where name = $1', [name]);
}

export async function noteOnLease(db: Queryable, { name, holder }: Lease, note: string): Promise<void> {
  await db.query('update provenance.lease set note = $3 where name = $1 and holder = $2', [
    name,
    holder,
    note,
  ]);
}

export async function readLease(
  db: Queryable,
  name: string,
): Promise<{ note: string; isHeld: boolean } | undefined> {
  const [row] = await db.query<{ note: string; isHeld: boolean }>(
    'select note, until > now() as "isHeld" from provenance.lease where name = $1',
    [name],
  );
  return row;
}
