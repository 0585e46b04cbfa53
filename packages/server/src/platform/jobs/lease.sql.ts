import type { Queryable, Tx } from '../db/database.js';

/** A piece of work that one node at a time does, and who asks to be that node. */
export interface Lease {
  name: string;
  /** UUID. */
  holder: string;
  seconds: number;
}

/** Takes the lease when nobody holds it, or holds it on. False while another node has it. */
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

/** Throws LeaseLostError unless the lease is held until this transaction ends: no other node can take it meanwhile. */
export async function assertLease(tx: Tx, { name, holder, seconds }: Lease): Promise<void> {
  const rows = await tx.query(
    `update provenance.lease set until = greatest(until, now() + make_interval(secs => $3))
     where name = $1 and holder = $2 and until > now() returning name`,
    [name, holder, seconds],
  );
  if (rows.length === 0) throw new LeaseLostError(name);
}

/** Lets go of the lease, so that another node takes it at once. */
export async function releaseLease(db: Queryable, { name, holder }: Lease): Promise<void> {
  await db.query('update provenance.lease set until = now() where name = $1 and holder = $2', [name, holder]);
}

/** Another node does the work now. */
export class LeaseLostError extends Error {
  constructor(name: string) {
    super(`Another node holds the lease ${name}`);
    this.name = 'LeaseLostError';
  }
}

/** Ends every lease of a database that belongs to one process: the former process has ended. */
export async function endLease(db: Queryable, name: string): Promise<void> {
  await db.query('update provenance.lease set until = now() where name = $1', [name]);
}

/** Keeps what the holder says of its work, for every node to show. */
export async function noteOnLease(db: Queryable, { name, holder }: Lease, note: string): Promise<void> {
  await db.query('update provenance.lease set note = $3 where name = $1 and holder = $2', [
    name,
    holder,
    note,
  ]);
}

/** Reads the last note of the holder, and whether the lease is still valid. */
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
