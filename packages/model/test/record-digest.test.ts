import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type JsonObject, type JsonValue } from '../src/canonical-json.js';
import {
  committedBody,
  digestRecord,
  type RecordKind,
  type Salts,
  verifyRecordDigest,
} from '../src/record-digest.js';

interface Vector {
  name: string;
  kind: RecordKind;
  body: JsonObject;
  salts: Salts;
  digest: string;
}

const vectors: { valid: (Vector & { canonical: string })[]; invalid: Vector[] } = JSON.parse(
  readFileSync(new URL('./vectors/record-digest-v1.json', import.meta.url), 'utf8'),
);

describe('the vectors of record digest version 1', () => {
  it.each(vectors.valid)(
    'agree with a second implementation, which uses node:crypto: $name',
    ({ body, salts, canonical, digest }) => {
      expect(sortedJson(referenceCommittedBody(body, salts))).toBe(canonical);
      expect(`sha256:${createHash('sha256').update(canonical).digest('hex')}`).toBe(digest);
    },
  );

  it.each(vectors.valid)('match the computed digest: $name', ({ kind, body, salts, canonical, digest }) => {
    expect(canonicalJson(committedBody(kind, body, salts))).toBe(canonical);
    expect(digestRecord(kind, body, { salts })).toEqual({ digest, salts });
    expect(verifyRecordDigest(kind, body, salts, digest)).toBe(true);
  });

  it.each(vectors.invalid)('do not verify: $name', ({ kind, body, salts, digest }) => {
    expect(verifyRecordDigest(kind, body, salts, digest)).toBe(false);
  });
});

const json = fc.jsonValue({ stringUnit: 'grapheme' }).map((value) => value as JsonValue);
const ai = fc.record(
  { prompt: json, systemPrompt: json, model: json, tool: fc.record({ prompt: json, seed: json }) },
  { requiredKeys: [] },
);
const body = fc
  .record(
    {
      id: fc.uuid(),
      name: json,
      wallet: json,
      metadata: json,
      note: json,
      extensions: fc.record({ 'ext:ai@1.0.0': ai, 'ext:other@2.0.0': json }, { requiredKeys: [] }),
    },
    { requiredKeys: ['id'] },
  )
  .map((record) => record as JsonObject);
const kind = fc.constantFrom<RecordKind>('entity', 'action', 'attribution');

describe('digestRecord', () => {
  it('produces a digest that verifies, for any order of members', () => {
    fc.assert(
      fc.property(kind, body, (ofKind, record) => {
        const { digest, salts } = digestRecord(ofKind, record);
        const reordered = Object.fromEntries(Object.entries(record).reverse());
        expect(verifyRecordDigest(ofKind, reordered, salts, digest)).toBe(true);
      }),
    );
  });

  it('does not depend on members that can change later', () => {
    fc.assert(
      fc.property(kind, body, json, (ofKind, record, value) => {
        const { digest, salts } = digestRecord(ofKind, record);
        const later = { ...record, onchain: value, recordedAt: value, digest: value, locations: value };
        expect(verifyRecordDigest(ofKind, later, salts, digest)).toBe(true);
      }),
    );
  });

  it('draws a salt of 16 bytes for each personal field present, and for nothing else', () => {
    const sizes: number[] = [];
    const randomBytes = (sizeBytes: number) => new Uint8Array(sizeBytes).fill(sizes.push(sizeBytes));
    const record = {
      name: 'Ann',
      note: 'public here',
      extensions: { 'ext:ai@3.0.0': { tool: { prompt: null } } },
    };
    expect(digestRecord('entity', record, { randomBytes }).salts).toEqual({
      '/name': Buffer.alloc(16, 1).toString('base64'),
      '/extensions/ext:ai@3.0.0/tool/prompt': Buffer.alloc(16, 2).toString('base64'),
    });
    expect(sizes).toEqual([16, 16]);
    const unsalted = { name: 'n', wallet: 'w', metadata: {}, note: 'n', prompt: 'p', tool: { prompt: 'p' } };
    expect(digestRecord('action', unsalted).salts).toEqual({});
  });

  it('draws new salts each time, so that equal values have different commitments', () => {
    const record = { id: 'e', name: 'Ann' };
    expect(digestRecord('entity', record).digest).not.toBe(digestRecord('entity', record).digest);
  });

  it('commits to a value that looks like a commitment, as to any other value', () => {
    const forged = { c: createHash('sha256').update('secret').digest('base64') };
    const { digest, salts } = digestRecord('entity', { id: 'e', metadata: forged });
    expect(Object.keys(salts)).toEqual(['/metadata']);
    expect(committedBody('entity', { id: 'e', metadata: forged }, salts).metadata).not.toEqual(forged);
    expect(verifyRecordDigest('entity', { id: 'e', metadata: forged }, {}, digest)).toBe(false);
  });

  it('uses the supplied hash for the commitments and for the record', () => {
    let begun = 0;
    const createSha256 = () => {
      begun++;
      return createHash('sha256');
    };
    const { digest, salts } = digestRecord('attribution', { id: 'a', note: 'x' }, { createSha256 });
    expect(begun).toBe(2);
    expect(verifyRecordDigest('attribution', { id: 'a', note: 'x' }, salts, digest)).toBe(true);
  });

  it.each([
    ['that is missing', {}],
    ['of 15 bytes', { '/name': Buffer.alloc(15).toString('base64') }],
    ['that is not base64', { '/name': '~~~' }],
  ])('throws for a salt %s, and names the field', (_what, salts) => {
    expect(() => digestRecord('entity', { name: 'Ann' }, { salts })).toThrow(/\/name/);
    expect(() => committedBody('entity', { name: 'Ann' }, salts)).toThrow(RangeError);
  });

  it('throws if `randomBytes` returns too few bytes', () => {
    const randomBytes = () => new Uint8Array(8);
    expect(() => digestRecord('entity', { name: 'Ann' }, { randomBytes })).toThrow(RangeError);
  });
});

describe('verifyRecordDigest', () => {
  it('never verifies a record with one changed character', () => {
    fc.assert(
      fc.property(kind, body, fc.nat(), fc.nat({ max: 9 }), (ofKind, record, position, digit) => {
        const { digest, salts } = digestRecord(ofKind, record);
        const text = canonicalJson(record);
        const at = position % text.length;
        const changed = readObject(text.slice(0, at) + String(digit) + text.slice(at + 1));
        fc.pre(changed !== undefined && sortedJson(changed) !== text);
        expect(verifyRecordDigest(ofKind, changed ?? {}, salts, digest)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('never verifies under a digest or a salt with one changed character', () => {
    const record = { id: 'e', name: 'Ann' };
    const { digest, salts } = digestRecord('entity', record);
    const salt = salts['/name'] ?? '';
    for (const other of changedCharacters(digest)) {
      expect(verifyRecordDigest('entity', record, salts, other)).toBe(false);
    }
    for (const other of changedCharacters(salt)) {
      expect(verifyRecordDigest('entity', record, { '/name': other }, digest)).toBe(false);
    }
  });

  it('verifies after values are erased together with their salts, in any combination', () => {
    fc.assert(
      fc.property(kind, body, fc.infiniteStream(fc.boolean()), (ofKind, record, choice) => {
        const { digest, salts } = digestRecord(ofKind, record);
        const erased = structuredClone(record);
        const kept = { ...salts };
        for (const [pointer, salt] of Object.entries(salts)) {
          if (!choice.next().value) continue;
          replaceAt(erased, pointer, (value) => referenceCommitment(value, salt));
          delete kept[pointer];
        }
        expect(verifyRecordDigest(ofKind, erased, kept, digest)).toBe(true);
      }),
    );
  });

  it('does not verify when only the value or only the salt is erased', () => {
    const record = { id: 'e', name: 'Ann' };
    const { digest, salts } = digestRecord('entity', record);
    expect(verifyRecordDigest('entity', record, {}, digest)).toBe(false);
    expect(verifyRecordDigest('entity', committedBody('entity', record, salts), salts, digest)).toBe(false);
  });

  it('reads a member named __proto__ like any other member', () => {
    const record: JsonObject = JSON.parse('{"id":"e","__proto__":{"name":"Ann"}}');
    const { digest, salts } = digestRecord('entity', record);
    expect(salts).toEqual({});
    expect(verifyRecordDigest('entity', record, salts, digest)).toBe(true);
    expect(verifyRecordDigest('entity', { id: 'e' }, salts, digest)).toBe(false);
  });
});

/** RFC 8785 in its simplest form. */
function sortedJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${sortedJson(value[name] ?? null)}`).join()}}`;
}

function referenceCommitment(value: JsonValue, salt: string): JsonObject {
  const c = createHash('sha256').update(salt, 'base64').update(sortedJson(value)).digest('base64');
  return { c };
}

function referenceCommittedBody(record: JsonObject, salts: Salts): JsonObject {
  const { onchain, recordedAt, digest, locations, ...lasting } = structuredClone(record);
  for (const [pointer, salt] of Object.entries(salts)) {
    replaceAt(lasting, pointer, (value) => referenceCommitment(value, salt));
  }
  return lasting;
}

function replaceAt(object: JsonObject, pointer: string, replace: (value: JsonValue) => JsonValue): void {
  const names = pointer.slice(1).split('/');
  const [last = '', ...parents] = names
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reverse();
  const parent = parents.reduceRight<JsonValue>(
    (at, name) => (at as JsonObject)[name] ?? null,
    object,
  ) as JsonObject;
  parent[last] = replace(parent[last] ?? null);
}

function readObject(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the change broke the syntax
  }
}

function changedCharacters(text: string): string[] {
  return [...text].map((character, at) => {
    const other = character === '0' ? '1' : '0';
    return text.slice(0, at) + other + text.slice(at + 1);
  });
}
