import { isJsonObject, type JsonObject, type JsonValue } from './canonical-json.js';

/** The kinds of record that have a digest. */
export type RecordKind = 'entity' | 'action' | 'attribution';

/** `pointer`: JSON pointer in the record (RFC 6901). */
export type ReplaceField = (value: JsonValue, pointer: string) => JsonValue;

const FIELDS_OF_KIND: Record<RecordKind, readonly string[]> = {
  entity: ['name', 'wallet', 'metadata'],
  action: [],
  attribution: ['note'],
};

const AI_EXTENSION = 'ext:ai@';
const AI_FIELDS = ['prompt', 'systemPrompt'];

/**
 * Replaces `name`, `wallet` and `metadata` of an entity, `note` of an attribution, and in every record `prompt` and
 * `systemPrompt` of `ext:ai` (in any version) and of its `tool`.
 */
export function replacePersonalFields(kind: RecordKind, body: JsonObject, replace: ReplaceField): JsonObject {
  const own = replaceMembers(body, FIELDS_OF_KIND[kind], replace);
  return replaceObject(own, 'extensions', (extensions) =>
    mapMembers(extensions, (extension, key) => {
      if (!key.startsWith(AI_EXTENSION) || !isJsonObject(extension)) return extension;
      return replaceAiFields(extension, within(`/extensions/${escapeToken(key)}`, replace));
    }),
  );
}

function replaceAiFields(extension: JsonObject, replace: ReplaceField): JsonObject {
  const own = replaceMembers(extension, AI_FIELDS, replace);
  return replaceObject(own, 'tool', (tool) => replaceMembers(tool, AI_FIELDS, within('/tool', replace)));
}

/** Returns the same object if it has none of these members. Undefined counts as absent, as in canonical JSON. */
function replaceMembers(object: JsonObject, names: readonly string[], replace: ReplaceField): JsonObject {
  if (!names.some((name) => Object.hasOwn(object, name))) return object;
  return mapMembers(object, (value, name) =>
    names.includes(name) && value !== undefined ? replace(value, `/${name}`) : value,
  );
}

function replaceObject(
  object: JsonObject,
  name: string,
  replace: (member: JsonObject) => JsonObject,
): JsonObject {
  const member = Object.hasOwn(object, name) ? object[name] : undefined;
  if (!isJsonObject(member)) return object;
  const replaced = replace(member);
  return replaced === member ? object : { ...object, [name]: replaced };
}

/** Returns the same object when no value changes. */
function mapMembers(object: JsonObject, map: (value: JsonValue, name: string) => JsonValue): JsonObject {
  let mapped = object;
  for (const [name, value] of Object.entries(object)) {
    const next = map(value, name);
    if (next === value) continue;
    if (mapped === object) mapped = { ...object };
    mapped[name] = next;
  }
  return mapped;
}

function within(prefix: string, replace: ReplaceField): ReplaceField {
  return (value, pointer) => replace(value, `${prefix}${pointer}`);
}

/** RFC 6901 §3. */
function escapeToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
