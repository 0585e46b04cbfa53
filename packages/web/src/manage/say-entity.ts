import type { Entity } from '@colophon/model';

export function sayEntity(id: string, people: readonly Entity[]): string {
  const name = people.find((one) => one.id === id)?.name;
  return name === undefined ? id : `${name} (${id})`;
}
