import type { Org, OrgInput } from '@colophon/model';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../platform/db/database.js';
import { lockAccount } from './accounts.sql.js';
import { assertMayCreate, isOperator } from './assert-below-limit.js';
import { type ChangeOptions, change, withConflictError } from './change.js';
import { insertMember } from './members.sql.js';
import { countCreatedOrgs, insertOrg, readOrg } from './orgs.sql.js';

export function createOrg(options: ChangeOptions, input: OrgInput): Promise<Org> {
  const { userId } = options.actor;
  return change(options, async (tx) => {
    if (!isOperator(options.actor)) await assertMayCreateMore(tx, options);
    const id = uuidv7();
    await withConflictError(
      insertOrg(tx, { id, ...input, createdBy: userId }),
      `The slug ${input.slug} is taken.`,
    );
    await insertMember(tx, { orgId: id, userId, role: 'owner' });
    const answer = await readOrg(tx, { accountId: userId, slug: input.slug });
    if (answer === undefined) throw new Error('An organisation vanished inside a transaction');
    return { answer, action: 'org.create', target: id, orgId: id, details: { ...input } };
  });
}

async function assertMayCreateMore(tx: Tx, { deps, actor: { userId } }: ChangeOptions): Promise<void> {
  await lockAccount(tx, userId);
  assertMayCreate(deps.limits, 'MAX_USER_ORGS', {
    ...(await countCreatedOrgs(tx, userId)),
    subject: 'Your account has organisations',
    remedy: 'Create a project in one of them, or delete one',
  });
}
