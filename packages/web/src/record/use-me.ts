import { createContentHasher, type PageSession } from '@colophon/model';
import { useMemo } from 'react';
import type { ChosenProject } from '../shell/kept-project.js';
import { useProject } from '../shell/project.js';
import { useSession } from '../shell/session.js';
import type { Person } from '../shell/use-people.js';

const ID_LENGTH = 26;

/** Returns the signed-in user as a person of the project. Undefined for a project key, which any person can use. */
export function useMe(): Person | undefined {
  const session = useSession().loaded.value;
  const { chosen } = useProject();
  return useMemo(() => toMe(session, chosen), [session, chosen]);
}

/**
 * The same user has the same id in each recording in a project. The id is a digest, because records keep ids forever and
 * the id of an account can be an e-mail address.
 */
export function toMe(
  session: PageSession | undefined,
  project: Pick<ChosenProject, 'id'> | undefined,
): Person | undefined {
  if (!session?.signedIn || project === undefined) return undefined;
  const { id, name } = session.user;
  const hasher = createContentHasher();
  hasher.update(new TextEncoder().encode(`${project.id} ${id}`));
  const digest = hasher.finish().cid.slice(-ID_LENGTH);
  return { id: `user:${digest}`, role: 'human', name: name ?? id.replace(/^local:/, '') };
}
