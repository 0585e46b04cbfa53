import type { Service } from '../support/service.js';

/** Test data of the control plane: a spare organisation, and one with members, projects, keys and webhooks. */
export interface ManagedWorld {
  /** The slug of the organisation, in which `ann` is the owner, `dev` a developer and `vic` a viewer. */
  orgSlug: string;
  projectId: string;
  /** Slug of another project of the organisation. */
  otherSlug: string;
  /** Id of a project that a call may delete. */
  spareProjectId: string;
  /** Slug of an organisation that a call may delete. */
  spareOrgSlug: string;
  /** Keys that a call may revoke or rotate. */
  spareKeyIds: [string, string];
  /** A webhook of the project, and one that a call may delete. */
  webhookIds: [string, string];
  /** An open invitation that a call may withdraw. */
  invitationId: string;
  /** The secret of the second spare key. */
  key: string;
  /** A cursor of the audit list. */
  auditCursor: string;
}

/** Creates the test data through the API. */
export async function makeManagedWorld(service: Service): Promise<ManagedWorld> {
  const ask = async (path: string, body?: unknown) => {
    const answer = await service.manage('ann', path, { body });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  };
  const orgSlug = 'planet';
  const spareOrgSlug = 'spare-org';
  for (const slug of [orgSlug, spareOrgSlug]) await ask('/orgs', { name: 'Daily Planet', slug });
  for (const [userId, role] of Object.entries({ dev: 'developer', vic: 'viewer' }))
    await ask(`/orgs/${orgSlug}/members`, { userId, role });
  const [project, other, spare] = [
    await ask('/projects', { orgSlug, name: 'Front page' }),
    await ask('/projects', { orgSlug, name: 'Other' }),
    await ask('/projects', { orgSlug, name: 'Spare' }),
  ];
  const makeKey = () => ask('/api-keys', { projectId: project.id, name: 'key' });
  const [first, second] = [await makeKey(), await makeKey()];
  const makeWebhook = () => ask(`/projects/${project.id}/webhooks`, { url: 'https://hooks.invalid/events' });
  return {
    orgSlug,
    projectId: project.id,
    otherSlug: other.slug,
    spareProjectId: spare.id,
    spareOrgSlug,
    spareKeyIds: [first.id, second.id],
    webhookIds: [(await makeWebhook()).id, (await makeWebhook()).id],
    invitationId: (await ask(`/orgs/${orgSlug}/invitations`, { role: 'viewer' })).id,
    key: second.key,
    auditCursor: (await ask(`/orgs/${orgSlug}/audit?limit=1`)).nextCursor,
  };
}
