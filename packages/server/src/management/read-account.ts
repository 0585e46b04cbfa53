import type { User } from '@colophon/model';
import { readAccount } from './accounts.sql.js';
import type { Actor, ManagementDeps } from './deps.js';

export async function readOwnAccount(
  { control }: ManagementDeps,
  { userId }: Pick<Actor, 'userId'>,
): Promise<User> {
  const user = await readAccount(control, userId);
  if (user === undefined) throw new Error('The user of the request has no account');
  return user;
}
