import type { PasswordHash } from '../../access/passwords/password-hash.js';
import type { Queryable, Tx } from '../../platform/db/database.js';

export async function readPassword(db: Queryable, accountId: string): Promise<PasswordHash | undefined> {
  const [row] = await db.query<
    Omit<PasswordHash, 'salt' | 'derived'> & Record<'salt' | 'derived', Uint8Array>
  >(
    `select cost_log2 as "costLog2", block_size as "blockSize", parallelism, salt, derived
     from control.password where account_id = $1`,
    [accountId],
  );
  return row && { ...row, salt: Buffer.from(row.salt), derived: Buffer.from(row.derived) };
}

export async function storePassword(tx: Tx, accountId: string, hash: PasswordHash): Promise<void> {
  await tx.query(
    `insert into control.password (account_id, cost_log2, block_size, parallelism, salt, derived)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (account_id) do update set cost_log2 = excluded.cost_log2, block_size = excluded.block_size,
       parallelism = excluded.parallelism, salt = excluded.salt, derived = excluded.derived, updated_at = now()`,
    [accountId, hash.costLog2, hash.blockSize, hash.parallelism, hash.salt, hash.derived],
  );
}

/** Whether this is still the stored hash. Locks the row until the transaction ends. */
export async function holdPassword(tx: Tx, accountId: string, { derived }: PasswordHash): Promise<boolean> {
  const rows = await tx.query(
    'select 1 from control.password where account_id = $1 and derived = $2 for update',
    [accountId, derived],
  );
  return rows.length > 0;
}

export async function hasPasswords(db: Queryable): Promise<boolean> {
  const rows = await db.query('select 1 from control.password limit 1');
  return rows.length > 0;
}
