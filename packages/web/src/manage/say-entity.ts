import type { Entity } from '@colophon/model';

/** Returns the name and the id of an entity, or only the id of an entity without a name. */
export function sayEntity(id: string, people: readonly Entity[]): string {
  const name = people.find((one) => one.id === id)?.name;
  return name === undefined ? id : `${name} (${id})`;
}
