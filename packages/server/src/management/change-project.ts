import { isDeepStrictEqual } from 'node:util';
import type { Project, ProjectPatch } from '@colophon/model';
import { type ChangeOptions, change, withConflictError } from './change.js';
import { assertNotLocal, CLOSE_INSTEAD } from './change-org.js';
import { checkPinning } from './check-pinning.js';
import { deleteProjectRow, updateProjectRow } from './projects.sql.js';
import { requireProjectRow } from './read-project.js';
import { assertMayPublishLog, requireMemberAlone } from './require-member.js';
import { toStoredSettings } from './stored-settings.js';

/** The value null removes a setting. Every node uses the change within a second. */
export function updateProject(
  options: ChangeOptions,
  projectId: string,
  patch: ProjectPatch,
): Promise<Project> {
  const member = { accountId: options.actor.userId, projectId };
  return change({ ...options, announced: true, turnOf: { membership: member } }, async (tx) => {
    const { orgId, role } = await requireMemberAlone(tx, member, 'project.update');
    const before = await requireProjectRow(options.deps, tx, projectId);
    assertMayPublishLog(role, patch, before);
    if ((patch.slug ?? before.slug) !== before.slug) assertNotLocal(orgId, 'Leave the slug as it is.');
    const settings = toStoredSettings(options.deps, projectId, patch);
    const changed = changedSettings(patch, before);
    if (changed.length === 0) return { answer: before, action: undefined };
    await withConflictError(
      updateProjectRow(tx, projectId, settings),
      `The organisation has a project with the slug ${patch.slug}.`,
    );
    const answer = await requireProjectRow(options.deps, tx, projectId);
    checkPinning(options.deps, patch, { before, after: answer });
    const details = { settings: changed };
    return { answer, action: 'project.update', target: projectId, orgId, projectId, details };
  });
}

/** A new secret always counts as a change. */
function changedSettings(patch: ProjectPatch, before: Project): string[] {
  const stored: Readonly<Record<string, unknown>> = {
    ...before,
    signingKey: before.signingKeySet ? undefined : null,
    ipfsApiKey: before.ipfsApiKeySet ? undefined : null,
  };
  const given = { ...patch, ...(patch.limits && { limits: { ...before.limits, ...patch.limits } }) };
  return Object.entries(given)
    .filter(([name, value]) => value !== undefined && !isDeepStrictEqual(value, stored[name]))
    .map(([name]) => name);
}

/** The keys of the project are rejected from now on. Its records stay. */
export async function deleteProject(options: ChangeOptions, projectId: string): Promise<{ deleted: true }> {
  const member = { accountId: options.actor.userId, projectId };
  const turnOf = { membership: member };
  const deleted = await change<{ deleted: true }>({ ...options, announced: true, turnOf }, async (tx) => {
    const { orgId } = await requireMemberAlone(tx, member, 'project.delete');
    assertNotLocal(orgId, CLOSE_INSTEAD);
    await deleteProjectRow(tx, projectId);
    return { answer: { deleted: true }, action: 'project.delete', target: projectId, orgId, projectId };
  });
  await options.deps.webhooks.endFeeds([projectId]);
  return deleted;
}
