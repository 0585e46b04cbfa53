import { isJsonObject, type JsonObject } from '../canonical-json.js';
import { replacePersonalFields } from '../personal-fields.js';
import { type RecordKind, type Salts, verifyRecordDigest } from '../record-digest.js';

/** A record and its claimed place in a log. */
export interface ClaimedRecord {
  kind: RecordKind;
  body: JsonObject;
  salts: Salts;
  digest: string;
}

/** The reason why a digest does not match its record; undefined when it does. */
export function findRecordFault({
  kind,
  body,
  salts,
  digest,
}: ClaimedRecord): 'otherKind' | 'digestMismatch' | undefined {
  if (kindOf(body) !== kind) return 'otherKind';
  return verifyRecordDigest(kind, body, salts, digest) ? undefined : 'digestMismatch';
}

/** Derives the kind from members that only one kind has: the digest does not cover the kind. */
function kindOf(body: JsonObject): RecordKind {
  if (Object.hasOwn(body, 'performedBy')) return 'action';
  return Object.hasOwn(body, 'entityId') ? 'attribution' : 'entity';
}

/**
 * Restores the digested form of a record that is shown without its erased fields: each field gets its commitment, and
 * the member about the erasure is removed. Returns undefined when a commitment would replace a visible value, or
 * belongs to a field that is not personal.
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

/** The object with a new member at this path. Undefined when the member exists, or its parent does not. */
function setAbsent(object: JsonObject, names: readonly string[], value: JsonObject): JsonObject | undefined {
  const [name, ...deeper] = names;
  if (name === undefined) return undefined;
  const member = Object.hasOwn(object, name) ? object[name] : undefined;
  if (deeper.length === 0) return member === undefined ? { ...object, [name]: value } : undefined;
  const inner = isJsonObject(member) ? setAbsent(member, deeper, value) : undefined;
  return inner === undefined ? undefined : { ...object, [name]: inner };
}
