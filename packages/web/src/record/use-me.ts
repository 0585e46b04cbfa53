import type { PageSession } from '@colophon/model';
import { useMemo } from 'react';
import { signInNameOf } from '../shell/name-user.js';
import { useProject } from '../shell/project.js';
import { useSession } from '../shell/session.js';
import type { Person } from '../shell/use-people.js';

/** Stands for the signed-in user until the first recording, for which the service makes the id. No entity has this id. */
export const NEW_ME = ' me';

/**
 * Returns the signed-in user as a person of the project; undefined for a project key, which any person can use. This
 * browser remembers the id that the user has in the project.
 */
export function useMe(): { me: Person | undefined; remember: (entityId: string) => void } {
  const session = useSession().loaded.value;
  const { chosen } = useProject();
  return useMemo(() => {
    const user = session?.signedIn === true ? session.user : undefined;
    const place = `colophon.me.${chosen?.id}.${user?.id}`;
    return {
      me: user && chosen && toMe(user, window.localStorage.getItem(place) ?? NEW_ME),
      remember: (entityId) => window.localStorage.setItem(place, entityId),
    };
  }, [session, chosen]);
}

/** Returns undefined for a user without a name. Publications can show names, so an e-mail address is never the name. */
export function toMe({ id, name }: SignedIn['user'], entityId: string): Person | undefined {
  const known = name ?? signInNameOf(id);
  return !known || known.includes('@') ? undefined : { id: entityId, role: 'human', name: known };
}

type SignedIn = Extract<PageSession, { signedIn: true }>;
