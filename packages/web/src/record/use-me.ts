import type { PageSession } from '@colophon/model';
import type { Client } from '@colophon/sdk';
import { useEffect, useMemo, useState } from 'react';
import { isAbsent } from '../shell/absent-content.js';
import { signInNameOf } from '../shell/name-user.js';
import { useProject } from '../shell/project.js';
import { useSession } from '../shell/session.js';
import type { Person } from '../shell/use-people.js';

/** Stands for the signed-in user until the first recording, for which the service makes the id. No entity has this id. */
export const NEW_ME = ' me';

/**
 * Returns the signed-in user as a person of the project; undefined for a project key, which any person can use. This
 * browser remembers the id that the user has in the project. Without a remembered id, the user is the only person among
 * `people` with the same name. `lostId`: a remembered id that the service does not know, for example after a restore of
 * an older backup. The user is then new.
 */
export function useMe(
  client: Client,
  people: readonly Person[],
): {
  me: Person | undefined;
  lostId: string | undefined;
  remember: (entityId: string) => void;
} {
  const session = useSession().loaded.value;
  const { chosen } = useProject();
  const user = session?.signedIn === true ? session.user : undefined;
  const place = `colophon.me.${chosen?.id}.${user?.id}`;
  const lostId = useLostId(client, place);
  return useMemo(() => {
    const id = window.localStorage.getItem(place);
    const me = user && chosen && toMe(user, id === null || id === lostId ? NEW_ME : id);
    return {
      me: me && findMe(me, people),
      lostId,
      remember: (entityId) => window.localStorage.setItem(place, entityId),
    };
  }, [user, chosen, place, lostId, people]);
}

/** Returns the only person with the name of a user who has no id yet, so that the form does not offer both. */
export function findMe(me: Person, people: readonly Person[]): Person {
  const namesakes = people.filter(({ role, name }) => role === me.role && name === me.name);
  const [only] = namesakes;
  return me.id === NEW_ME && namesakes.length === 1 && only !== undefined ? only : me;
}

/** Returns the id that is stored at this place, if the service does not know it. */
function useLostId(client: Client, place: string): string | undefined {
  const [lostId, setLostId] = useState<string>();
  useEffect(() => {
    const id = window.localStorage.getItem(place);
    if (id === null) return undefined;
    const ending = new AbortController();
    client.entities.get(id, { signal: ending.signal }).catch((error: unknown) => {
      if (isAbsent(error)) setLostId(id); // the recording reports any other error
    });
    return () => ending.abort();
  }, [client, place]);
  return lostId;
}

/** Returns undefined for a user without a name. Publications can show names, so an e-mail address is never the name. */
export function toMe({ id, name }: SignedIn['user'], entityId: string): Person | undefined {
  const known = name ?? signInNameOf(id);
  return !known || known.includes('@') ? undefined : { id: entityId, role: 'human', name: known };
}

type SignedIn = Extract<PageSession, { signedIn: true }>;
