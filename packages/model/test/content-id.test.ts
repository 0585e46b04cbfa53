import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { bases } from 'multiformats/basics';
import { CID } from 'multiformats/cid';
import { create } from 'multiformats/hashes/digest';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contentIdOfSha256, isContentId, parseContentId } from '../src/content-id.js';
import { contentIdSchema } from '../src/content-id-schema.js';
import { multibaseOf } from '../src/multibases.js';

interface Vectors {
  valid: { name: string; text: string; contentId: string }[];
  invalid: { name: string; text: string }[];
}

const vectors: Vectors = JSON.parse(
  readFileSync(new URL('./vectors/content-ids.json', import.meta.url), 'utf8'),
);

const digest = fc.uint8Array({ minLength: 32, maxLength: 32 });
const cid = fc
  .tuple(fc.constantFrom(0x55, 0x70, 0x71, 0x0129), digest)
  .map(([codec, bytes]) => CID.createV1(codec, create(0x12, bytes)));
const textBases = Object.values(bases).filter(({ name }) => name !== 'identity' && name !== 'base2');

describe('parseContentId', () => {
  it.each(vectors.valid)('reads $name', ({ text, contentId }) => {
    expect(parseContentId(text)).toBe(contentId);
    expect(isContentId(text)).toBe(true);
  });

  it.each(vectors.invalid)('returns undefined for $name', ({ text }) => {
    expect(parseContentId(text)).toBeUndefined();
    expect(isContentId(text)).toBe(false);
  });

  it('has as many invalid vectors as valid vectors', () => {
    expect(vectors.invalid.length).toBe(vectors.valid.length);
  });

  it('returns undefined for text of more than 256 characters, even for a valid CID', () => {
    const identity = (sizeBytes: number) => CID.createV1(0x55, create(0x00, new Uint8Array(sizeBytes)));
    const [within, beyond] = [identity(27), identity(28)].map(({ bytes }) => bases.base2.encode(bytes));
    expect([within?.length, beyond?.length]).toEqual([249, 257]);
    expect(parseContentId(within ?? '')).toBe(identity(27).toString());
    expect(parseContentId(beyond ?? '')).toBeUndefined();
  });

  it.each(textBases)('returns the canonical content id of a CID that is written in $name', (base) => {
    fc.assert(
      fc.property(cid, (id) => {
        expect(parseContentId(base.encode(id.bytes))).toBe(id.toString());
      }),
    );
  });

  it('returns a canonical content id unchanged', () => {
    fc.assert(
      fc.property(cid, (id) => {
        const contentId = parseContentId(id.toString(bases.base58btc));
        expect(parseContentId(contentId ?? '')).toBe(contentId);
      }),
    );
  });

  it('returns another content id or none when one character after the base prefix is changed', () => {
    fc.assert(
      fc.property(cid, fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (id, position, character) => {
        const text = id.toString(bases.base64url);
        const at = 1 + (position % (text.length - 1));
        fc.pre(text[at] !== character);
        expect(parseContentId(text.slice(0, at) + character + text.slice(at + 1))).not.toBe(id.toString());
      }),
      { numRuns: 1000 },
    );
  });

  it('agrees with a full CID decoder on changed CIDs of the usual form', () => {
    const usual = fc.tuple(fc.constantFrom(0x55, 0x70), digest).map(([codec, bytes]) => {
      return CID.createV1(codec, create(0x12, bytes)).toString();
    });
    const alphabet = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz234567');
    const ending = fc.constantFrom(1, 7, 8, 58);
    fc.assert(
      fc.property(usual, ending, alphabet, (text, at, character) => {
        const changed = text.slice(0, at) + character + text.slice(at + 1);
        expect(parseContentId(changed)).toBe(decodedName(changed));
      }),
      { numRuns: 1000 },
    );
  });

  it('returns undefined for random text, without an exception', () => {
    const prefixed = fc
      .tuple(
        fc.constantFrom('Qm', 'b', 'z', 'k', 'f', 'm', 'u', '9', '🚀', 'sha256:'),
        fc.string({ unit: 'binary' }),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(prefixed, (text) => {
        expect(parseContentId(text)).toBeUndefined();
      }),
    );
  });
});

describe('contentIdOfSha256', () => {
  it('names content by the raw CID of its SHA-256', () => {
    const sha256 = createHash('sha256').update('hello world').digest();
    expect(contentIdOfSha256(sha256)).toBe('bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e');
  });

  it('throws RangeError for a digest of 31 bytes', () => {
    expect(() => contentIdOfSha256(new Uint8Array(31))).toThrow(RangeError);
  });
});

describe('contentIdSchema', () => {
  it('parses to the canonical content id', () => {
    expect(contentIdSchema.parse('Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD')).toBe(
      'bafybeihykld7uyxzogax6vgyvag42y7464eywpf55gxi5qpoisibh3c5wa',
    );
  });

  it.each([['hello'], [`b${'a'.repeat(300)}`]])(
    'states the expected form for the invalid value %s',
    (text) => {
      const issues = contentIdSchema.safeParse(text).error?.issues.map((issue) => issue.message);
      expect(issues).toEqual(['Expected a CID (v0 or v1) or sha256:<64 hex digits>']);
    },
  );

  it('describes its input as JSON Schema', () => {
    expect(z.toJSONSchema(z.array(contentIdSchema), { io: 'input' })).toMatchObject({
      items: {
        type: 'string',
        maxLength: 256,
        description: expect.any(String),
        examples: [expect.any(String)],
      },
    });
  });
});

function decodedName(text: string): string | undefined {
  try {
    const { multihash } = CID.parse(text);
    const isWhole = multihash.code === 0x12 && multihash.size === 32;
    return isWhole && CID.parse(text).toString() === text ? text : undefined;
  } catch {
    return undefined;
  }
}

describe('multibaseOf', () => {
  const numberBases = Object.values(bases).filter(({ name }) => /^base(10|36|58)/.test(name));

  it.each(numberBases)('encodes and decodes $name as multiformats does', (base) => {
    const ours = multibaseOf(base.prefix);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 79 }), fc.nat(3), (bytes, zeros) => {
        const padded = Uint8Array.from([...new Uint8Array(zeros), ...bytes]);
        const text = base.encode(padded);
        expect(ours?.encode(padded)).toBe(text);
        expect(ours?.decode(text)).toEqual(padded);
      }),
    );
    const decodeWith = (decode: ((text: string) => Uint8Array) | undefined, text: string) => {
      try {
        return decode?.(text);
      } catch {
        return 'thrown';
      }
    };
    const written = fc.stringMatching(/^[0-9A-Za-z]{0,60}$/);
    fc.assert(
      fc.property(fc.oneof(written, fc.string()), (text) => {
        const [one, other] = [ours, base].map((codec) =>
          decodeWith(codec?.decode.bind(codec), base.prefix + text),
        );
        expect(one).toEqual(other);
      }),
    );
  });

  it.each(numberBases)('decodes no text of $name that is too long for a CID', (base) => {
    const varint = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    const longest = Uint8Array.from([1, ...varint, ...varint, 64, ...new Uint8Array(64).fill(0xff)]);
    const text = base.encode(longest);
    expect(parseContentId(text)).toBe(bases.base32.encode(longest));
    expect(() => multibaseOf(base.prefix)?.decode(`${text}111111`)).toThrow(RangeError);
    expect(parseContentId(`${text}111111`)).toBeUndefined();
  });
});
