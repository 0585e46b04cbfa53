import type { Org, OrgPatch } from '@colophon/model';
import { LOCAL_ORG } from '../control/api-keys.sql.js';
import { ServiceError } from '../errors.js';
import { type ChangeOptions, change } from './change.js';
import { deleteOrgRow, readOrg, renameOrg } from './orgs.sql.js';
import { requireMemberAlone } from './require-member.js';

export function updateOrg(options: ChangeOptions, orgSlug: string, patch: OrgPatch): Promise<Org> {
  const accountId = options.actor.userId;
  const member = { accountId, orgSlug };
  return change({ ...options, turnOf: { membership: member } }, async (tx) => {
    const { orgId } = await requireMemberAlone(tx, member, 'org.update');
    if (patch.name !== undefined) await renameOrg(tx, orgId, patch.name);
    const answer = await readOrg(tx, { accountId, slug: orgSlug });
    if (answer === undefined) throw new Error('An organisation vanished inside a transaction');
    if (patch.name === undefined) return { answer, action: undefined };
    return { answer, action: 'org.update', target: orgId, orgId, details: { ...patch } };
  });
}

/** The keys of the projects are rejected from now on. The records stay. */
export async function deleteOrg(options: ChangeOptions, orgSlug: string): Promise<{ deleted: true }> {
  let projectIds: readonly string[] = [];
  const member = { accountId: options.actor.userId, orgSlug };
  const turnOf = { membership: member };
  const deleted = await change<{ deleted: true }>({ ...options, announced: true, turnOf }, async (tx) => {
    const { orgId } = await requireMemberAlone(tx, member, 'org.delete');
    assertNotLocal(orgId, CLOSE_INSTEAD);
    const changedProjects = await deleteOrgRow(tx, orgId);
    projectIds = changedProjects;
    const details = { slug: orgSlug };
    return {
      answer: { deleted: true },
      ...{ action: 'org.delete', target: orgId, orgId, details, changedProjects },
    };
  });
  await options.deps.webhooks.endFeeds(projectIds);
  return deleted;
}

export function assertNotLocal(orgId: string, recovery: string): void {
  if (orgId !== LOCAL_ORG.id) return;
  const message = 'The configuration defines the organisation `local`, its projects and their slugs.';
  throw new ServiceError('Conflict', message, { recovery });
}

/** Recovery text for projects that cannot be deleted. */
export const CLOSE_INSTEAD =
  'To close one of its projects, remove the keys of the project from API_KEYS and revoke its other keys.';
