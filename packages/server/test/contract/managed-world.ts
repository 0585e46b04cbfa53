import type { Service } from '../support/service.js';

/** Test data of the control plane. */
export interface ManagedWorld {
  /** In the organisation, `ann` is the owner, `dev` a developer and `vic` a viewer. */
  orgSlug: string;
  projectId: string;
  otherSlug: string;
  /** A call may delete this project. */
  spareProjectId: string;
  /** A call may delete this organisation. */
  spareOrgSlug: string;
  /** A call may revoke or rotate these keys. */
  spareKeyIds: [string, string];
  /** A call may delete the second webhook. */
  webhookIds: [string, string];
  /** A call may withdraw this open invitation. */
  invitationId: string;
  key: string;
  auditCursor: string;
}

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
