import type { HandoverSignatures, HandoverStatement } from '@colophon/model';
import type { Queryable, Tx } from '../platform/db/database.js';

/** The next key replaces the former key. Both keys have signed the statement. */
export interface SignedHandover {
  statement: HandoverStatement;
  signatures: HandoverSignatures;
}

/** Stores the key as the first key of the logs, if they have none. Returns the present key. Keys are 64 hex digits. */
export async function adoptFirstKey(db: Queryable, publicKeyHex: string): Promise<string> {
  const [row] = await db.query<{ present: string }>(
    `select provenance.adopt_log_key(decode($1, 'hex')) as present`,
    [publicKeyHex],
  );
  if (row === undefined) throw new Error('The key of the logs was not stored');
  return row.present;
}

/** Returns undefined when no key was stored yet. */
export async function readPresentKey(db: Queryable): Promise<string | undefined> {
  return (await listKeys(db)).at(-1)?.publicKeyHex;
}

/** `handover` is null for the first key and for the replacement of a lost key. */
export interface LogKeyRow {
  sequence: number;
  publicKeyHex: string;
  handover: SignedHandover | null;
}

export function listKeys(db: Queryable): Promise<LogKeyRow[]> {
  return db.query<LogKeyRow>(
    `select k.sequence, encode(k.public_key, 'hex') as "publicKeyHex", k.handover
     from provenance.log_key k order by k.sequence`,
  );
}

/** `signed` is undefined if the former key was lost. `digest` is the digest of the hand-over statement. */
export interface KeyChange {
  from: string;
  to: string;
  signed: { handover: SignedHandover; digest: string } | undefined;
}

/** Returns false if `from` is not the present key, or if `to` was a key before. */
export async function changeKey(tx: Tx, { from, to, signed }: KeyChange): Promise<boolean> {
  const [row] = await tx.query<{ sequence: number | null }>(
    `select provenance.change_log_key(decode($1, 'hex'), decode($2, 'hex'), $3::jsonb, decode($4, 'hex')) as sequence`,
    [
      ...[from, to],
      signed === undefined ? null : JSON.stringify(signed.handover),
      signed === undefined ? null : signed.digest.slice('sha256:'.length),
    ],
  );
  return row?.sequence !== null && row !== undefined;
}

/** Lists at most `limit` logs that have leaves but lack the leaf of a hand-over. */
export async function listLogsWithoutHandover(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select d.project_id as id from provenance.anchor_due d
     where (select count(*) from provenance.log_handover_leaf l where l.project_id = d.project_id)
       < (select count(*) from provenance.log_key k where k.digest is not null)
     order by d.project_id limit $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** Appends the hand-overs that the log does not have yet. Returns the number of new leaves. */
export async function appendHandovers(db: Queryable, projectId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>('select provenance.append_handovers($1) as count', [
    projectId,
  ]);
  return row?.count ?? 0;
}

/** The index is null when the log does not have this leaf yet. */
export interface LoggedHandover {
  handover: SignedHandover;
  leafIndex: number | null;
}

export function listHandovers(db: Queryable, projectId: string): Promise<LoggedHandover[]> {
  return db.query<LoggedHandover>(
    `select k.handover, l.leaf_index as "leafIndex" from provenance.log_key k
     left join provenance.log_handover_leaf l on l.project_id = $1 and l.sequence = k.sequence
     where k.handover is not null order by k.sequence`,
    [projectId],
  );
}
