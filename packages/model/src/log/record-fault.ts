import { isJsonObject, type JsonObject } from '../canonical-json.js';
import { replacePersonalFields } from '../personal-fields.js';
import { type RecordKind, type Salts, verifyRecordDigest } from '../record-digest.js';

/** A record as something claims that a log holds it. */
export interface ClaimedRecord {
  kind: RecordKind;
  body: JsonObject;
  salts: Salts;
  digest: string;
}

/** Why the digest is not that of this record; undefined when it is. */
export function findRecordFault({
  kind,
  body,
  salts,
  digest,
}: ClaimedRecord): 'otherKind' | 'digestMismatch' | undefined {
  if (kindOf(body) !== kind) return 'otherKind';
  return verifyRecordDigest(kind, body, salts, digest) ? undefined : 'digestMismatch';
}

/** The digest does not cover the kind; members that only one kind has tell it. */
function kindOf(body: JsonObject): RecordKind {
  if (Object.hasOwn(body, 'performedBy')) return 'action';
  return Object.hasOwn(body, 'entityId') ? 'attribution' : 'entity';
}

/**
 * A record as it was digested, from one that is shown without its erased fields: each has its commitment again, and the
 * word of the erasure is gone. Undefined when a commitment would take the place of something shown, or is of a field
 * that is not personal.
 */
export function restoreErased(
  { kind, body, salts }: Omit<ClaimedRecord, 'digest'>,
  erased: Record<string, string>,
): JsonObject | undefined {
  const pointers = Object.keys(erased);
  if (pointers.length === 0) return body;
  const { erasure: _, ...rest } = body;
  let restored: JsonObject | undefined = rest;
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

/** The object with a member more at this place; undefined when there is one, or no place for it. */
function setAbsent(object: JsonObject, names: readonly string[], value: JsonObject): JsonObject | undefined {
  const [name, ...deeper] = names;
  if (name === undefined) return undefined;
  const member = Object.hasOwn(object, name) ? object[name] : undefined;
  if (deeper.length === 0) return member === undefined ? { ...object, [name]: value } : undefined;
  const inner = isJsonObject(member) ? setAbsent(member, deeper, value) : undefined;
  return inner === undefined ? undefined : { ...object, [name]: inner };
}
