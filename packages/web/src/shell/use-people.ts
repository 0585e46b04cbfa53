import type { Entity } from '@colophon/model';
import type { Client } from '@colophon/sdk';
import { useEffect, useState } from 'react';

const NEWEST = 100;

export type Person = Pick<Entity, 'id' | 'role' | 'name'>;

/** The result is empty until the 100 newest entities are loaded. */
export function usePeople(client: Client): Entity[] {
  const [people, setPeople] = useState<Entity[]>([]);
  useEffect(() => {
    const ending = new AbortController();
    client.entities
      .list({ limit: NEWEST }, { signal: ending.signal })
      .then(({ entities }) => setPeople(entities))
      .catch(() => setPeople([])); // the form still accepts a new person
    return () => ending.abort();
  }, [client]);
  return people;
}
