import type { Project, ProjectPatch } from '@colophon/model';
import { type ChangeTerms, change, orConflict } from './change.js';
import { checkPinning } from './check-pinning.js';
import { assertNotLocal, CLOSE_INSTEAD } from './local-org.js';
import { deleteProjectRow, updateProjectRow } from './projects.sql.js';
import { requireProjectRow } from './read-project.js';
import { requireMemberAlone } from './require-member.js';
import { toStoredSettings } from './stored-settings.js';

/** Changes the settings that are given; null removes. Takes effect on every node within a second. */
export function updateProject(terms: ChangeTerms, projectId: string, patch: ProjectPatch): Promise<Project> {
  return change({ ...terms, announced: true }, async (tx) => {
    const asker = { accountId: terms.actor.userId, projectId };
    const { orgId } = await requireMemberAlone(tx, asker, 'project.update');
    const before = await requireProjectRow(terms.needs, tx, projectId);
    if ((patch.slug ?? before.slug) !== before.slug) assertNotLocal(orgId, 'Leave the slug as it is.');
    const settings = toStoredSettings(terms.needs, projectId, patch);
    if (Object.values(settings).every((value) => value === undefined))
      return { answer: before, action: undefined };
    await orConflict(
      updateProjectRow(tx, projectId, settings),
      `The organisation has a project with the slug ${patch.slug}.`,
    );
    const answer = await requireProjectRow(terms.needs, tx, projectId);
    checkPinning(terms.needs, patch, { before, after: answer });
    const details = { settings: Object.keys(patch) };
    return { answer, action: 'project.update', target: projectId, orgId, projectId, details };
  });
}

/** Deletes a project: its keys open nothing from now on, its records stay. */
export function deleteProject(terms: ChangeTerms, projectId: string): Promise<{ deleted: true }> {
  return change({ ...terms, announced: true }, async (tx) => {
    const asker = { accountId: terms.actor.userId, projectId };
    const { orgId } = await requireMemberAlone(tx, asker, 'project.delete');
    assertNotLocal(orgId, CLOSE_INSTEAD);
    await deleteProjectRow(tx, projectId);
    return { answer: { deleted: true }, action: 'project.delete', target: projectId, orgId, projectId };
  });
}
