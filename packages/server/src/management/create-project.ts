import { randomInt } from 'node:crypto';
import { type Project, type ProjectDetails, slugField } from '@colophon/model';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../platform/db/database.js';
import { assertMayCreate, isOperator } from './assert-below-limit.js';
import { type ChangeOptions, change, withConflictError } from './change.js';
import { assertNotLocal } from './change-org.js';
import { checkPinning } from './check-pinning.js';
import { countProjects, insertProject, updateProjectRow } from './projects.sql.js';
import { requireProjectRow } from './read-project.js';
import { assertMayPublishLog, requireMemberAlone } from './require-member.js';
import { toStoredSettings } from './stored-settings.js';

export function createProject(
  options: ChangeOptions,
  orgSlug: string,
  details: ProjectDetails,
): Promise<Project> {
  const { name, slug: asked, ...settings } = details;
  const member = { accountId: options.actor.userId, orgSlug };
  const assertMay = (tx: Tx) => requireMemberAlone(tx, member, 'project.create');
  return change({ ...options, assertMay, turnOf: { membership: member } }, async (tx) => {
    const { orgId, role } = await assertMay(tx);
    assertMayPublishLog(role, settings);
    assertNotLocal(orgId, 'Create another organisation, and create the project there.');
    if (!isOperator(options.actor)) await assertMayHaveMore(tx, options, orgId);
    const id = uuidv7();
    const slug = asked ?? toSlug(name);
    await withConflictError(
      insertProject(tx, { id, orgId, name, slug }),
      `The organisation has a project with the slug ${slug}.`,
    );
    await updateProjectRow(tx, id, toStoredSettings(options.deps, id, settings));
    const answer = await requireProjectRow(options.deps, tx, id);
    checkPinning(options.deps, settings, { after: answer });
    const given = Object.keys(settings);
    return {
      answer,
      action: 'project.create',
      target: id,
      orgId,
      projectId: id,
      details: { name, slug, settings: given },
    };
  });
}

/** The caller must have locked the organisation. */
async function assertMayHaveMore(tx: Tx, { deps }: ChangeOptions, orgId: string): Promise<void> {
  assertMayCreate(deps.limits, 'MAX_ORG_PROJECTS', {
    ...(await countProjects(tx, orgId)),
    subject: 'This organisation has projects',
    remedy: 'Delete a project that nobody uses',
  });
}

const MAX_SLUG = 40;
const RANDOM_DIGITS = 8;

/** Uses the ASCII characters of the name. If the result is not a valid slug, creates a random one. */
function toSlug(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, MAX_SLUG)
    .replace(/-$/, '');
  if (slugField(1).safeParse(words).success) return words;
  return `project-${randomInt(36 ** RANDOM_DIGITS)
    .toString(36)
    .padStart(RANDOM_DIGITS, '0')}`;
}
