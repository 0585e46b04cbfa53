import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { PDFBool, PDFDict, PDFHexString, PDFName, PDFNumber, PDFString } from 'pdf-lib';

/** Fills a password up to 32 bytes. An empty password is only this padding (ISO 32000-2 §7.6.4.3.2). */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const NO_PASSWORD = Buffer.alloc(0);

/** Encrypts a string of the object with this number (generation 0). */
export type StringCipher = (text: Buffer, objectNumber: number) => Buffer;

/** The stream of the manifest must be unencrypted. Versions below 4 lack the `Crypt` filter (ISO 32000-2 §7.4.10). */
export function canExemptStreams(encrypt: PDFDict): boolean {
  return (readNumber(encrypt, 'V') ?? 0) >= 4;
}

/** Returns undefined when the document needs a password, or its encryption is not supported (ISO 32000-2 §7.6.4). */
export function openWithoutPassword(encrypt: PDFDict, fileId: Uint8Array): StringCipher | undefined {
  if (encrypt.lookup(PDFName.of('Filter')) !== PDFName.of('Standard')) return undefined;
  if (!canExemptStreams(encrypt)) return undefined;
  const revision = readNumber(encrypt, 'R') ?? 0;
  const method = readMethod(encrypt);
  if (method === 'None') return (text) => text;
  if (revision >= 5) return method === 'AESV3' ? openRevision6(encrypt, revision) : undefined;
  if (method === 'AESV3') return undefined;
  const key = openRevision4(encrypt, fileId);
  if (key === undefined) return undefined;
  return (text, objectNumber) => {
    const objectKey = toObjectKey(key, objectNumber, method);
    return method === 'V2' ? rc4(objectKey, text) : encryptAes('aes-128-cbc', objectKey, text);
  };
}

/** RC4 (`V2`), AES (`AESV2`, `AESV3`) or none (`None`). */
function readMethod(encrypt: PDFDict): string {
  const filters = encrypt.lookup(PDFName.of('CF'));
  const name = encrypt.lookup(PDFName.of('StrF'));
  const filter = filters instanceof PDFDict && name instanceof PDFName ? filters.lookup(name) : undefined;
  const method = filter instanceof PDFDict ? filter.lookup(PDFName.of('CFM')) : undefined;
  return method instanceof PDFName ? method.decodeText() : 'None';
}

/** Algorithms 2 and 5. Undefined when the user password is not empty. */
function openRevision4(encrypt: PDFDict, fileId: Uint8Array): Buffer | undefined {
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE((readNumber(encrypt, 'P') ?? 0) | 0);
  const isMetadataPlain = encrypt.lookup(PDFName.of('EncryptMetadata')) === PDFBool.False;
  const suffix = isMetadataPlain ? Buffer.alloc(4, 0xff) : NO_PASSWORD;
  const keyBytes = Math.min(16, (readNumber(encrypt, 'Length') ?? 128) / 8);
  const owner = readBytes(encrypt, 'O').subarray(0, 32);
  let key = md5(PADDING, owner, permissions, fileId, suffix).subarray(0, keyBytes);
  for (let round = 0; round < 50; round += 1) key = md5(key).subarray(0, keyBytes);
  const user = readBytes(encrypt, 'U');
  let proof = md5(PADDING, fileId);
  for (let round = 0; round < 20; round += 1)
    proof = rc4(
      key.map((byte) => byte ^ round),
      proof,
    );
  return proof.equals(user.subarray(0, 16)) ? key : undefined;
}

/** Algorithm 1. */
function toObjectKey(key: Buffer, objectNumber: number, method: string): Buffer {
  const place = Buffer.alloc(5);
  place.writeUIntLE(objectNumber, 0, 3);
  const salt = method === 'AESV2' ? Buffer.from('sAlT') : NO_PASSWORD;
  return md5(key, place, salt).subarray(0, Math.min(16, key.length + 5));
}

/** Algorithms 2.A and 2.B. /U has 48 bytes: a hash, the salt to check the password, and the salt for the key. */
function openRevision6(encrypt: PDFDict, revision: number): StringCipher | undefined {
  const user = readBytes(encrypt, 'U');
  const hash = revision === 5 ? (salt: Buffer) => sha(256, salt) : hardenedHash;
  if (!hash(user.subarray(32, 40)).equals(user.subarray(0, 32))) return undefined;
  const unwrap = createDecipheriv('aes-256-cbc', hash(user.subarray(40, 48)), Buffer.alloc(16));
  unwrap.setAutoPadding(false);
  const key = Buffer.concat([unwrap.update(readBytes(encrypt, 'UE').subarray(0, 32)), unwrap.final()]);
  return (text) => encryptAes('aes-256-cbc', key, text);
}

function hardenedHash(salt: Buffer): Buffer {
  let key = sha(256, salt);
  for (let round = 0; ; round += 1) {
    const block = Buffer.concat(Array.from({ length: 64 }, () => key));
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32));
    const mixed = cipher.setAutoPadding(false).update(block);
    const sum = mixed.subarray(0, 16).reduce((total, byte) => total + byte, 0);
    key = sha(([256, 384, 512] as const)[sum % 3] ?? 256, mixed);
    if (round >= 63 && (mixed.at(-1) ?? 0) <= round - 31) return key.subarray(0, 32);
  }
}

function encryptAes(name: string, key: Buffer, text: Buffer): Buffer {
  const vector = randomBytes(16);
  const cipher = createCipheriv(name, key, vector);
  return Buffer.concat([vector, cipher.update(text), cipher.final()]);
}

/** RC4: old documents need it, and Node no longer has it. */
function rc4(key: Uint8Array, text: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number) => state[index & 0xff] ?? 0;
  const swap = (a: number, b: number) => {
    [state[a & 0xff], state[b & 0xff]] = [at(b), at(a)];
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j += at(i) + (key[i % key.length] ?? 0);
    swap(i, j);
  }
  let [i, j] = [0, 0];
  const result = Buffer.from(text);
  for (const [index, byte] of text.entries()) {
    i += 1;
    j += at(i);
    swap(i, j);
    result[index] = byte ^ at(at(i) + at(j));
  }
  return result;
}

function readNumber(dictionary: PDFDict, name: string): number | undefined {
  const value = dictionary.lookup(PDFName.of(name));
  return value instanceof PDFNumber ? value.asNumber() : undefined;
}

function readBytes(dictionary: PDFDict, name: string): Buffer {
  const value = dictionary.lookup(PDFName.of(name));
  return value instanceof PDFString || value instanceof PDFHexString
    ? Buffer.from(value.asBytes())
    : NO_PASSWORD;
}

function md5(...parts: Uint8Array[]): Buffer {
  return createHash('md5').update(Buffer.concat(parts)).digest();
}

function sha(bits: 256 | 384 | 512, data: Uint8Array): Buffer {
  return createHash(`sha${bits}`).update(data).digest();
}
