import { isJsonObject, type JsonObject, type JsonValue } from '../canonical-json.js';
import { replacePersonalFields } from '../personal-fields.js';
import { type RecordKind, type Salts, verifyRecordDigest } from '../record-digest.js';

export interface ClaimedRecord {
  kind: RecordKind;
  body: JsonObject;
  salts: Salts;
  digest: string;
}

/** Returns undefined when the digest matches. */
export function findRecordFault({
  kind,
  body,
  salts,
  digest,
}: ClaimedRecord): 'otherKind' | 'digestMismatch' | undefined {
  if (!isOfKind(kind, body)) return 'otherKind';
  return verifyRecordDigest(kind, body, salts, digest) ? undefined : 'digestMismatch';
}

/** `texts`: required texts. `lists`: required lists of texts. `absent`: members that the body must not have. */
const FORMS: Record<RecordKind, { texts: string[]; lists: string[]; absent: string[] }> = {
  entity: { texts: ['id', 'role'], lists: [], absent: ['performedBy', 'entityId'] },
  action: { texts: ['id', 'type', 'performedBy'], lists: ['inputCids', 'outputCids'], absent: [] },
  attribution: { texts: ['id', 'role', 'entityId'], lists: [], absent: ['performedBy'] },
};

/**
 * Each body has the form of at most one kind. So nobody can present a record as another kind, although its digest does
 * not cover the kind.
 */
export function isOfKind(kind: RecordKind, body: JsonObject): boolean {
  const { texts, lists, absent } = FORMS[kind];
  const read = (name: string) => (Object.hasOwn(body, name) ? body[name] : undefined);
  return (
    texts.every((name) => typeof read(name) === 'string') &&
    lists.every((name) => isTextList(read(name))) &&
    absent.every((name) => read(name) === undefined)
  );
}

function isTextList(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** A salt that belongs to no personal field proves nothing. */
export function hasUnusedSalt({ kind, body, salts }: Omit<ClaimedRecord, 'digest'>): boolean {
  const used = new Set<string>();
  replacePersonalFields(kind, body, (value, pointer) => {
    used.add(pointer);
    return value;
  });
  return Object.keys(salts).some((pointer) => !used.has(pointer));
}

/**
 * Returns a record in the form that its digest covers: adds the commitments of the erased fields, and removes the
 * member `erasure`. `erased`: JSON pointer of each erased field with its commitment. Returns undefined in these cases:
 *
 * - a commitment would replace a visible value
 * - the object that must contain a commitment is missing
 * - a personal field has no salt and is not in `erased`
 * - a field in `erased` is not a personal field, or has a salt
 */
export function restoreErased(
  { kind, body, salts }: Omit<ClaimedRecord, 'digest'>,
  erased: Record<string, string> | undefined,
): JsonObject | undefined {
  if (erased === undefined) return body;
  const pointers = Object.keys(erased);
  const { erasure: _, ...rest } = body;
  let restored: JsonObject | undefined = pointers.length === 0 ? body : rest;
  for (const pointer of pointers) {
    const tokens = pointer.split('/').slice(1);
    const names = tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
    restored = restored && setAbsent(restored, names, { c: erased[pointer] ?? '' });
  }
  if (restored === undefined) return undefined;
  const open: string[] = [];
  replacePersonalFields(kind, restored, (value, pointer) => {
    if (!Object.hasOwn(salts, pointer)) open.push(pointer);
    return value;
  });
  return open.length === pointers.length && open.every((one) => Object.hasOwn(erased, one))
    ? restored
    : undefined;
}

/** Returns undefined when the member exists, or when its parent does not. */
function setAbsent(object: JsonObject, names: readonly string[], value: JsonObject): JsonObject | undefined {
  const [name, ...deeper] = names;
  if (name === undefined) return undefined;
  const member = Object.hasOwn(object, name) ? object[name] : undefined;
  if (deeper.length === 0) return member === undefined ? { ...object, [name]: value } : undefined;
  const inner = isJsonObject(member) ? setAbsent(member, deeper, value) : undefined;
  return inner === undefined ? undefined : { ...object, [name]: inner };
}
