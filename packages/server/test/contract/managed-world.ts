import type { Service } from '../support/service.js';

/** A small world of the control plane: an organisation of three, with projects and keys to spend. */
export interface ManagedWorld {
  /** Of the organisation; `ann` owns it, `dev` develops, `vic` views. */
  orgSlug: string;
  projectId: string;
  /** Slug of another project of the organisation. */
  otherSlug: string;
  /** A project and an organisation that may be deleted. */
  spareProjectId: string;
  spareOrgSlug: string;
  /** Keys that may be revoked or rotated. */
  spareKeyIds: [string, string];
  /** A webhook of the project, and one that may be deleted. */
  webhookIds: [string, string];
  /** A key of the project. */
  key: string;
  /** A cursor of the audit list. */
  auditCursor: string;
}

/** Makes the world through the API itself. */
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
  const makeWebhook = () => ask(`/projects/${project.id}/webhooks`, { url: 'https://hooks.invalid/told' });
  return {
    orgSlug,
    projectId: project.id,
    otherSlug: other.slug,
    spareProjectId: spare.id,
    spareOrgSlug,
    spareKeyIds: [first.id, second.id],
    webhookIds: [(await makeWebhook()).id, (await makeWebhook()).id],
    key: second.key,
    auditCursor: (await ask(`/orgs/${orgSlug}/audit?limit=1`)).nextCursor,
  };
}
