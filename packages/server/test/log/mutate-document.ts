import type { JsonObject, JsonValue } from '@colophon/model';

/** The same seed gives the same numbers (mulberry32). */
export function createRandom(seed: number) {
  let state = seed;
  const below = (count: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  return { below, pick };
}

type Random = ReturnType<typeof createRandom>;

const CHARACTERS = [...'{}[]",:\\ \n+-.eE0123456789abcdefxyzABCZ=/~—é'];

/** The result need not be JSON. */
export function mutateText(text: string, { below, pick }: Random): string {
  const at = below(text.length);
  const end = at + below(4);
  return pick([
    () => text.slice(0, at) + pick(CHARACTERS) + text.slice(at + 1),
    () => text.slice(0, at) + pick(CHARACTERS) + text.slice(at),
    () => text.slice(0, at) + text.slice(end + 1),
    () => text.slice(0, at) + text.slice(at, end) + text.slice(at),
    () => text.slice(0, at),
  ])();
}

/** The result is JSON. */
export function mutateValue(text: string, random: Random): string {
  const value: JsonValue = JSON.parse(text);
  const { owner, name } = pickPlace(value as JsonObject, random);
  const present = owner[name] as JsonValue;
  const change = random.pick([
    () => delete owner[name],
    () => assign(owner, name, otherOf(present, random)),
    () => assign(owner, name, otherOf(present, random)),
    () => assign(owner, name, random.pick<JsonValue>([null, true, 0, 1, -1, '', 'x', [], {}, 2 ** 53, 1.5])),
    () => assign(owner, `${name}x`, present),
  ]);
  change();
  return JSON.stringify(value);
}

function assign(owner: JsonObject, name: string, value: JsonValue): void {
  owner[name] = value;
}

function otherOf(value: JsonValue, { below, pick }: Random): JsonValue {
  if (typeof value === 'number') return value + pick([-1, 1, 256]);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') {
    const at = below(value.length + 1);
    return value.slice(0, at) + pick(CHARACTERS) + value.slice(at + pick([0, 1]));
  }
  if (Array.isArray(value))
    return pick([value.slice(1), [...value, ...value.slice(0, 1)], value.toReversed()]);
  return value === null ? 0 : {};
}

/** Picks a random member of an object, or a random element of an array, at any depth. */
function pickPlace(root: JsonObject, { pick }: Random): { owner: JsonObject; name: string } {
  const places: { owner: JsonObject; name: string }[] = [];
  const visit = (owner: JsonObject) => {
    for (const [name, value] of Object.entries(owner)) {
      places.push({ owner, name });
      if (typeof value === 'object' && value !== null) visit(value as JsonObject);
    }
  };
  visit(root);
  return pick(places);
}

/** Every verifier has to accept the result. */
export function rewrite(text: string, random: Random): string {
  const value = JSON.parse(text);
  return random.pick([
    () => JSON.stringify(value, null, random.pick([1, 2, '\t'])),
    () => JSON.stringify(shuffle(value, random)),
    () => text.replace(/[a-z]/g, (letter) => (random.below(40) === 0 ? toEscape(letter) : letter)),
    () => text.replace(/(?<=":)\d+(?=[,}])/g, (digits) => (random.below(3) === 0 ? `${digits}.0` : digits)),
  ])();
}

const toEscape = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

function shuffle(value: JsonValue, random: Random): JsonValue {
  if (Array.isArray(value)) return value.map((item) => shuffle(item, random));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, item]) => ({ name, item, key: random.below(1_000) }));
  members.sort((a, b) => a.key - b.key);
  return Object.fromEntries(members.map(({ name, item }) => [name, shuffle(item, random)]));
}
