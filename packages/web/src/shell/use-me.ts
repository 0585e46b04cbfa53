import type { Entity, PageSession } from '@colophon/model';
import type { Client } from '@colophon/sdk';
import { useEffect, useMemo, useState } from 'react';
import { isAbsent } from './absent-content.js';
import { nameForReaders } from './name-user.js';
import { useProject } from './project.js';
import { useSession } from './session.js';
import type { Person } from './use-people.js';

/** No entity has this id. The service creates the real id at the first recording of the user. */
export const NEW_ME = ' me';

/**
 * Returns the signed-in user as a person of the project. `me` is undefined in two cases: the session has a project key,
 * which any person can use, or the user has no name for readers. While `isLoading` is true, `me` can be the previous
 * user. `lostId` is a remembered id that the service does not know, for example after a restore of a backup. `me` is
 * then a new user.
 */
export function useMe(client: Client): {
  me: Person | undefined;
  isLoading: boolean;
  lostId: string | undefined;
  remember: (entityId: string) => void;
} {
  const { value: session, isLoading } = useSession().loaded;
  const { chosen } = useProject();
  const user = session?.signedIn === true ? session.user : undefined;
  const place = `colophon.me.${chosen?.id}.${user?.id}`;
  const lostId = useLostId(client, place);
  return useMemo(() => {
    const id = window.localStorage.getItem(place);
    return {
      me: user && chosen && toMe(user, id === null || id === lostId ? NEW_ME : id),
      isLoading,
      lostId,
      remember: (entityId) => window.localStorage.setItem(place, entityId),
    };
  }, [user, chosen, place, lostId, isLoading]);
}

/** Ids that the service derives from a name. */
const DERIVED_ID = /^human:[0-9a-f]{32}$/;

/** Gives a new user the id of a recorded person, if the service would derive the same id for the user. */
export function recognise(me: Person, people: readonly Entity[]): Person {
  if (me.id !== NEW_ME) return me;
  const found = people.find(
    (person) =>
      isNamesake(person, me) &&
      DERIVED_ID.test(person.id) &&
      person.wallet === undefined &&
      person.publicKey === undefined,
  );
  return found === undefined ? me : { ...me, id: found.id };
}

/** Returns the only recorded person with the name of a new user. Only the user knows whether they are the same. */
export function findNamesake(me: Person, people: readonly Person[]): Person | undefined {
  if (me.id !== NEW_ME) return undefined;
  const [only, ...others] = people.filter((person) => isNamesake(person, me));
  return others.length === 0 ? only : undefined;
}

/** Whether a recorded person has the name of the user, but is not known to be the user. */
export function isNamesake({ id, role, name }: Person, me: Person): boolean {
  return id !== me.id && role === me.role && name !== undefined && name === me.name;
}

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

/** Returns undefined for a user without a name for readers. */
export function toMe(user: SignedIn['user'], entityId: string): Person | undefined {
  const name = nameForReaders(user);
  return name === undefined ? undefined : { id: entityId, role: 'human', name };
}

type SignedIn = Extract<PageSession, { signedIn: true }>;
