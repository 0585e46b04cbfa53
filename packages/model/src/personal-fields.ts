import { isJsonObject, type JsonObject, type JsonValue } from './canonical-json.js';

/** The kinds of record that have a digest. */
export type RecordKind = 'entity' | 'action' | 'attribution';

/** What stands in for a personal field; `pointer` is its JSON pointer in the record (RFC 6901). */
export type ReplaceField = (value: JsonValue, pointer: string) => JsonValue;

const FIELDS_OF_KIND: Record<RecordKind, readonly string[]> = {
  entity: ['name', 'wallet', 'metadata'],
  action: [],
  attribution: ['note'],
};

const AI_EXTENSION = 'ext:ai@';
const AI_FIELDS = ['prompt', 'systemPrompt'];

/**
 * The record with each personal field that it has replaced. Personal are `name`, `wallet` and `metadata` of an
 * entity, `note` of an attribution, and in every version of the extension `ext:ai`, whatever the record, `prompt`
 * and `systemPrompt`, both directly and in its `tool`.
 */
export function replacePersonalFields(kind: RecordKind, body: JsonObject, replace: ReplaceField): JsonObject {
  const own = replaceMembers(body, FIELDS_OF_KIND[kind], replace);
  return replaceObject(own, 'extensions', (extensions) =>
    mapMembers(extensions, (extension, key) => {
      const isAi = key.startsWith(AI_EXTENSION) && isJsonObject(extension);
      return isAi
        ? replaceAiFields(extension, within(`/extensions/${escapeToken(key)}`, replace))
        : extension;
    }),
  );
}

function replaceAiFields(extension: JsonObject, replace: ReplaceField): JsonObject {
  const own = replaceMembers(extension, AI_FIELDS, replace);
  return replaceObject(own, 'tool', (tool) => replaceMembers(tool, AI_FIELDS, within('/tool', replace)));
}

function replaceMembers(object: JsonObject, names: readonly string[], replace: ReplaceField): JsonObject {
  return mapMembers(object, (value, name) => (names.includes(name) ? replace(value, `/${name}`) : value));
}

function replaceObject(
  object: JsonObject,
  name: string,
  replace: (member: JsonObject) => JsonObject,
): JsonObject {
  return mapMembers(object, (value, key) => (key === name && isJsonObject(value) ? replace(value) : value));
}

/** A member that is undefined is absent, in canonical JSON as here: it is never personal. */
function mapMembers(object: JsonObject, map: (value: JsonValue, name: string) => JsonValue): JsonObject {
  const present = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, map(value, name)]));
}

function within(prefix: string, replace: ReplaceField): ReplaceField {
  return (value, pointer) => replace(value, `${prefix}${pointer}`);
}

/** RFC 6901 §3. */
function escapeToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
