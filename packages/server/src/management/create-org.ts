import type { Org, OrgInput } from '@colophon/model';
import { v7 as uuidv7 } from 'uuid';
import { type ChangeOptions, change, withConflictError } from './change.js';
import { insertMember } from './members.sql.js';
import { insertOrg, readOrg } from './orgs.sql.js';

/** Creates an organisation with the actor as its first owner. Throws `Conflict` when the slug is taken. */
export function createOrg(options: ChangeOptions, input: OrgInput): Promise<Org> {
  const { userId } = options.actor;
  return change(options, async (tx) => {
    const id = uuidv7();
    await withConflictError(insertOrg(tx, { id, ...input }), `The slug ${input.slug} is taken.`);
    await insertMember(tx, { orgId: id, userId, role: 'owner' });
    const answer = await readOrg(tx, { accountId: userId, slug: input.slug });
    if (answer === undefined) throw new Error('An organisation vanished inside a transaction');
    return { answer, action: 'org.create', target: id, orgId: id, details: { ...input } };
  });
}
