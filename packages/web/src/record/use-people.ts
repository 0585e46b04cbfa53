import type { Entity } from '@colophon/model';
import type { Client } from '@colophon/sdk';
import { useEffect, useState } from 'react';

const NEWEST = 100;

/** Those who were recorded lately; none while they are not known. */
export function usePeople(client: Client): Entity[] {
  const [people, setPeople] = useState<Entity[]>([]);
  useEffect(() => {
    const ending = new AbortController();
    client.entities
      .list({ limit: NEWEST }, { signal: ending.signal })
      .then(({ entities }) => setPeople(entities))
      .catch(() => setPeople([])); // then somebody new can be named all the same
    return () => ending.abort();
  }, [client]);
  return people;
}
