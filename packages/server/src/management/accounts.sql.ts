import type { User, UserInput } from '@colophon/model';
import { inTurnOf, type Queryable, type Tx } from '../platform/db/database.js';

type AccountRow = Omit<User, 'privyDid' | 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date };

/** The organisations that the user created share these turns (see `inTurnOf`). */
export function toUserTurn(userId: string): string {
  return `user ${userId}`;
}

/** A statement with these parameters waits in the turns of the user. The user must be authenticated. */
export function inTurnOfUser(userId: string, parameters: readonly unknown[]): readonly unknown[] {
  return inTurnOf(toUserTurn(userId), parameters);
}

/** Returns true if it created the row. */
export async function ensureAccount(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query(
    'insert into control.account (id) values ($1) on conflict do nothing returning id',
    [id],
  );
  return rows.length === 1;
}

/** Concurrent changes of the user run one after the other. */
export async function lockAccount(tx: Tx, id: string): Promise<void> {
  await tx.query('select 1 from control.account where id = $1 for no key update', [id]);
}

export async function readAccount(db: Queryable, id: string): Promise<User | undefined> {
  const [row] = await db.query<AccountRow>(
    `select id, email, name, avatar, wallet, created_at as "createdAt", updated_at as "updatedAt"
     from control.account where id = $1`,
    inTurnOfUser(id, [id]),
  );
  return row === undefined ? undefined : toUser(row);
}

export async function updateAccount(tx: Tx, id: string, change: UserInput): Promise<void> {
  const given = (field: keyof UserInput) => change[field] !== undefined;
  await tx.query(
    `update control.account set
       email = case when $2 then $3 else email end, name = case when $4 then $5 else name end,
       avatar = case when $6 then $7 else avatar end, wallet = case when $8 then $9 else wallet end,
       updated_at = now()
     where id = $1`,
    [
      id,
      ...(['email', 'name', 'avatar', 'wallet'] as const).flatMap((field) => [
        given(field),
        change[field] ?? null,
      ]),
    ],
  );
}

function toUser(row: AccountRow): User {
  return {
    ...row,
    privyDid: row.id,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
