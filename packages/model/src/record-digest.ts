import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { fromBase64, toBase64 } from './base64.js';
import {
  CanonicalJsonError,
  canonicalJson,
  canonicalJsonBytes,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from './canonical-json.js';
import { type RecordKind, replacePersonalFields } from './personal-fields.js';
import { type CreateSha256, createNobleSha256, SHA256_BYTES } from './sha256.js';

export type { RecordKind } from './personal-fields.js';

/**
 * Salts of a record's personal fields: the JSON pointer (RFC 6901) of the field -> base64 of 16 bytes. Take them from
 * `digestRecord` or from a receipt, never from the request of a caller.
 */
export type Salts = Record<string, string>;

export interface DigestOptions {
  /** Without them, the function creates new ones. */
  salts?: Salts;
  /** Default: `crypto.getRandomValues`. */
  randomBytes?: (sizeBytes: number) => Uint8Array;
  createSha256?: CreateSha256;
  /** 64 lower-case hex digits. The default uses `createSha256`. */
  sha256Hex?: (text: string) => string;
}

export interface RecordDigest {
  /** `sha256:` and 64 lower-case hex digits. */
  digest: string;
  salts: Salts;
}

const SALT_BYTES = 16;

/** The digest does not cover these members, because the service adds or changes them later. */
export const VOLATILE_MEMBERS: readonly string[] = ['onchain', 'recordedAt', 'digest', 'locations'];

/**
 * Computes the record digest, version 1: SHA-256 over the canonical JSON (RFC 8785) of `committedBody`.
 *
 * Pass no `salts` for a new record. The function then creates a salt for **every** personal field, even if its value
 * looks like a commitment. So nobody can record a commitment without its value. Pass the `salts` of an existing record
 * to compute its digest again, by the rules of `committedBody`.
 *
 * Throws CanonicalJsonError for a body without canonical JSON, and RangeError as `committedBody` does.
 *
 * @example
 * const { digest, salts } = digestRecord('attribution', { id: 'a1', role: 'creator', note: 'mine' });
 * Object.keys(salts); // => ['/note']
 * verifyRecordDigest('attribution', { id: 'a1', role: 'creator', note: 'mine' }, salts, digest); // => true
 */
export function digestRecord(kind: RecordKind, body: JsonObject, options: DigestOptions = {}): RecordDigest {
  const salts = options.salts ?? drawSalts(kind, body, options.randomBytes ?? webRandomBytes);
  const createSha256 = options.createSha256 ?? createNobleSha256;
  const committed = requireCommitted(commitFields({ kind, body, salts }, createSha256));
  const { sha256Hex } = options;
  if (sha256Hex === undefined) return { digest: digestOf(committed, createSha256), salts };
  return { digest: `sha256:${sha256Hex(canonicalJson(committed))}`, salts };
}

/**
 * Returns the input of the digest: `body` without `onchain`, `recordedAt`, `digest` and `locations`, and with each
 * personal field replaced by its commitment `{"c": <base64>}`.
 *
 * - A field with a salt is committed: `c` is SHA-256(salt || canonical JSON of the value). This also applies to a
 *   value that looks like a commitment.
 * - A field without a salt is valid only if it is erased. Its value is then the commitment: an object with the one
 *   member `c`, base64 of 32 bytes. It stays unchanged, so the digest stays valid after the erasure of value and salt.
 * - Any other personal field is an error. A salt that does not have 16 bytes is also an error. With salts of several
 *   lengths, bytes could move between salt and value, and one commitment would match two values.
 *
 * Throws RangeError with the pointer of the first field with an error. Throws CanonicalJsonError for a personal field
 * without canonical JSON.
 *
 * @example
 * const erased = { id: 'a1', note: { c: 'RBNvS5WvZ4pcuemQ4LWbT5a6K2cuMbRCcMCgN8OuQRQ=' } };
 * committedBody('attribution', { ...erased, recordedAt: '2026-08-02T09:30:00.000Z' }, {}); // => erased
 */
export function committedBody(kind: RecordKind, body: JsonObject, salts: Salts): JsonObject {
  return requireCommitted(commitFields({ kind, body, salts }, createNobleSha256));
}

/**
 * Whether `digest` is the record digest, version 1, of this body with these salts. Returns false when a salt is
 * missing or malformed, and when the body has no canonical JSON. Never throws.
 *
 * The digest covers neither its version nor the kind of the record. So a valid digest does not prove that `kind` is
 * right.
 */
export function verifyRecordDigest(
  kind: RecordKind,
  body: JsonObject,
  salts: Salts,
  digest: string,
): boolean {
  try {
    const { committed, unopened } = commitFields({ kind, body, salts }, createNobleSha256);
    return unopened.length === 0 && digestOf(committed, createNobleSha256) === digest;
  } catch (error) {
    if (error instanceof CanonicalJsonError) return false;
    throw error;
  }
}

interface SaltedRecord {
  kind: RecordKind;
  body: JsonObject;
  salts: Salts;
}

/** `unopened`: pointers of the personal fields that could not be committed. */
interface Commitments {
  committed: JsonObject;
  unopened: string[];
}

function commitFields({ kind, body, salts }: SaltedRecord, createSha256: CreateSha256): Commitments {
  const unopened: string[] = [];
  const committed = replacePersonalFields(kind, withoutVolatile(body), (value, pointer) => {
    const salt = Object.hasOwn(salts, pointer) ? salts[pointer] : undefined;
    if (salt === undefined && isCommitment(value)) return value;
    const saltBytes = salt === undefined ? undefined : fromBase64(salt);
    if (saltBytes?.length === SALT_BYTES) return commitmentOf(value, saltBytes, createSha256);
    unopened.push(pointer);
    return value;
  });
  return { committed, unopened };
}

function withoutVolatile(body: JsonObject): JsonObject {
  if (!VOLATILE_MEMBERS.some((name) => Object.hasOwn(body, name))) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !VOLATILE_MEMBERS.includes(name)));
}

function requireCommitted({ committed, unopened }: Commitments): JsonObject {
  const [pointer] = unopened;
  if (pointer === undefined) return committed;
  throw new RangeError(`The personal field ${pointer} has no salt of ${SALT_BYTES} bytes and is not erased`);
}

function commitmentOf(value: JsonValue, salt: Uint8Array, createSha256: CreateSha256): JsonObject {
  const hash = createSha256();
  hash.update(concatBytes(salt, canonicalJsonBytes(value)));
  return { c: toBase64(hash.digest()) };
}

function isCommitment(value: JsonValue): boolean {
  if (!isJsonObject(value) || Object.keys(value).length !== 1) return false;
  return typeof value.c === 'string' && fromBase64(value.c)?.length === SHA256_BYTES;
}

function drawSalts(
  kind: RecordKind,
  body: JsonObject,
  randomBytes: (sizeBytes: number) => Uint8Array,
): Salts {
  const salts: Salts = {};
  replacePersonalFields(kind, body, (value, pointer) => {
    salts[pointer] = toBase64(randomBytes(SALT_BYTES));
    return value;
  });
  return salts;
}

function digestOf(committed: JsonObject, createSha256: CreateSha256): string {
  const hash = createSha256();
  hash.update(canonicalJsonBytes(committed));
  return `sha256:${bytesToHex(hash.digest())}`;
}

function webRandomBytes(sizeBytes: number): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(sizeBytes));
}
