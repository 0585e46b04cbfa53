import type { Member, Role } from '@colophon/model';
import { useCallback } from 'react';
import { formatList } from '../languages/formats.js';
import { manage } from '../strings/manage.js';
import { publish } from '../strings/publish.js';
import { Notice } from '../ui/notice.js';
import { nameUser } from './name-user.js';
import { useProject } from './project.js';
import { useSession } from './session.js';
import { useLoaded } from './use-loaded.js';

export interface ReadingMember {
  projectName: string;
  orgName: string;
  /** The members who can change roles. */
  admins: string[];
}

const ADMINS: readonly Role[] = ['owner', 'admin'];

export function nameAdmins(members: readonly Member[]): string[] {
  const admins = members.filter(({ role }) => ADMINS.includes(role));
  return admins.map(({ userId: id, name }) => nameUser({ id, name }));
}

/**
 * Returns a user who can only read in the chosen project. Returns undefined for any other user, after a failed request,
 * and for a project key, whose permission the page does not know.
 */
export function useReadingMember(): { reader: ReadingMember | undefined; isLoading: boolean } {
  const { page } = useSession();
  const { chosen } = useProject();
  const load = useCallback(async () => {
    if (chosen === undefined) return undefined;
    const { orgs, projects } = page.management;
    const { orgSlug } = await projects.get(chosen.id);
    const { role, name } = await orgs.get(orgSlug);
    if (role !== 'viewer') return { projectId: chosen.id };
    const members = await orgs.members(orgSlug);
    return {
      projectId: chosen.id,
      reader: {
        projectName: chosen.name,
        orgName: name,
        admins: nameAdmins(members),
      },
    };
  }, [page, chosen]);
  const { value, fault } = useLoaded(load);
  // Just after a change of the project, `value` belongs to the previous one.
  const known = value?.projectId === chosen?.id ? value : undefined;
  return {
    reader: known?.reader,
    isLoading: chosen !== undefined && known === undefined && fault === undefined,
  };
}

export function ReadOnly({ member: { projectName, orgName, admins } }: { member: ReadingMember }) {
  const { readOnly } = publish;
  const { roles } = manage.members;
  return (
    <Notice kind="info" title={readOnly.title(projectName)}>
      <p>{readOnly.why(orgName, roles.viewer)}</p>
      <p>{readOnly.ask(roles.developer, formatList(admins))}</p>
    </Notice>
  );
}
