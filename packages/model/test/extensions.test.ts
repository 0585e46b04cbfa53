import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import {
  type ActionInput,
  type AiExtension,
  actionInputSchema,
  activityInputSchema,
  entityInputSchema,
  type JsonObject,
  KNOWN_EXTENSIONS,
  type KnownExtensions,
  SERVER_ASSERTED_EXTENSIONS,
} from '../src/index.js';
import { extensionsField } from '../src/records/extensions.js';

function issuesOf(extensions: unknown): [string, string][] {
  const issues = extensionsField.safeParse(extensions).error?.issues ?? [];
  return issues.map(({ path, message }) => [path.join('.'), message]);
}

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const id = schema.meta()?.id ?? 'none';
  return z.toJSONSchema(schema, { io }).$defs?.[id] ?? {};
}

const GIT = {
  ...{ repository: 'r', branch: 'main', commit: 'c', message: 'm' },
  ...{ filesChanged: 1, linesAdded: 1, linesRemoved: 0 },
};

const performedBy = 'studio:ann';

describe('the key of an extension', () => {
  it.each(['ext:note@1.0.0', 'ext:my_app:note@10.20.30', 'ext:tool-log@0.0.1', 'ext:N0te@1.0.0'])(
    'may be of the form ext:<name>@<semver>: %s',
    (key) => {
      expect(extensionsField.parse({ [key]: { a: 1 } })).toEqual({ [key]: { a: 1 } });
    },
  );

  it.each([
    'ai',
    'ext:ai',
    'ext:ai@1',
    'ext:ai@1.0',
    'ext:ai@1.0.0-beta',
    'ext:@1.0.0',
    'ext:1ai@1.0.0',
    'ext:ai:@1.0.0',
    'ext:a b@1.0.0',
    ' ext:ai@1.0.0',
    'ext:ai@1.0.0\n',
    'EXT:ai@1.0.0',
    '',
  ])('is rejected in any other form: %j', (key) => {
    expect(issuesOf({ [key]: {} })).toEqual([
      [key, 'An extension key has the form ext:<name>@<major.minor.patch>'],
    ]);
  });

  it('is rejected, not dropped, if it is __proto__', () => {
    const extensions = JSON.parse('{"__proto__": {}, "ext:note@1.0.0": {}}');
    expect(issuesOf(extensions).map(([path]) => path)).toEqual(['__proto__']);
  });

  it('has at most 128 characters', () => {
    const key = `ext:${'a'.repeat(128 - 'ext:@1.0.0'.length)}@1.0.0`;
    expect(issuesOf({ [key]: {} })).toEqual([]);
    expect(issuesOf({ [key.replace('@', 'a@')]: {} })[0]?.[1]).toBe(
      'An extension key has at most 128 characters',
    );
  });
});

describe('an extension that the service asserts', () => {
  const asserted = ['ext:verification', 'ext:witness', 'ext:onchain', 'ext:identity', 'ext:auth'];

  it('has one of the reserved names', () => {
    expect(SERVER_ASSERTED_EXTENSIONS).toEqual(asserted);
  });

  it.each(asserted.flatMap((name) => [`${name}@1.0.0`, `${name}@2.3.4`]))(
    'is rejected from a caller, in any version: %s',
    (key) => {
      const name = key.slice(0, key.indexOf('@'));
      expect(issuesOf({ [key]: {} })).toEqual([[key, `Only the service may assert ${name}; leave it out`]]);
    },
  );

  it('is rejected in upper, lower and mixed case', () => {
    for (const key of ['ext:Verification@1.0.0', 'ext:IDENTITY@1.0.0']) {
      expect(issuesOf({ [key]: {} })[0]?.[1]).toMatch(/^Only the service may assert /);
    }
  });

  it('has exactly a reserved name: a caller may send a longer name that begins with one', () => {
    expect(issuesOf({ 'ext:witness-list@1.0.0': {}, 'ext:auth:log@1.0.0': {} })).toEqual([]);
  });

  it('is not `ext:session`, which a caller may send', () => {
    expect(issuesOf({ 'ext:session@1.0.0': { sessionId: 's-1' } })).toEqual([]);
  });
});

describe('the value of an extension', () => {
  it.each([[null], [1], ['text'], [true], [[]], [[{}]]])(
    'is rejected if it is not an object: %j',
    (value) => {
      for (const key of ['ext:ai@1.0.0', 'ext:note@1.0.0']) {
        expect(issuesOf({ [key]: value })).toEqual([[key, 'An extension is a JSON object']]);
      }
    },
  );

  it.each([
    ['a lone surrogate', { deep: ['\ud800'] }],
    ['NUL', { deep: { text: '\0' } }],
    ['a member __proto__', JSON.parse('{"deep": {"__proto__": 1}}')],
    ['too deep a nesting', JSON.parse(`${'{"a":'.repeat(64)}1${'}'.repeat(64)}`)],
  ])('is rejected with %s, including in unknown members', (_, fault) => {
    const ai = { provider: 'p', model: 'm', ...fault };
    for (const extensions of [{ 'ext:ai@1.0.0': ai }, { 'ext:note@1.0.0': fault }]) {
      expect(issuesOf(extensions).map(([path]) => path)).toEqual(Object.keys(extensions));
    }
  });

  it('is rejected with one problem for each list or map that is longer than its limit', () => {
    const lists = {
      'ext:payment@1.0.0': { recipients: Array(1001).fill({}) },
      'ext:git@1.0.0': { ...GIT, tags: Array(251).fill(1) },
      'ext:tool-attestation@1.0.0': {
        level: 'self-declared',
        receipt: { headers: Object.fromEntries(Array.from({ length: 251 }, (_, n) => [`h${n}`, n])) },
      },
    };
    expect(issuesOf(lists).map(([path]) => path)).toEqual([
      'ext:payment@1.0.0.recipients',
      'ext:git@1.0.0.tags',
      'ext:tool-attestation@1.0.0.receipt.headers',
    ]);
  });

  it('stays unchanged: the same members in the same order, at every level', () => {
    const given = {
      'ext:payment@1.0.0': {
        zeta: null,
        recipients: [{ zeta: 1, share: 10_000, entityId: 'a' }],
        method: 'split',
        alpha: { b: [], a: {} },
      },
      'ext:contrib@1.0.0': { note: 'n', verifiedAt: '2026-08-02T11:30:00+02:00', weight: 1.5 },
      'ext:x402@1.0.0': { proof: { paidAt: '2026-08-02T09:30:00Z', paymentTxHash: '0x1' } },
      'ext:governance@1.0.0': { purpose: 'p' },
      'ext:ai@1.0.0': { tool: { seed: 1, own: true, model: 'm', provider: 'p' } },
      'ext:note@1.0.0': { b: 1, a: 2 },
    };
    expect(JSON.stringify(extensionsField.parse(given))).toBe(JSON.stringify(given));
  });

  it('stays unchanged under an unknown key, for any JSON object', () => {
    const name = fc
      .string({ unit: 'grapheme' })
      .filter((text) => text !== '__proto__' && !text.includes('\0'));
    const { object } = fc.letrec<{ value: JsonObject[string]; object: JsonObject }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.constant(null), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }), name),
        fc.array(tie('value')),
        tie('object'),
      ),
      object: fc.dictionary(name, tie('value'), { noNullPrototype: true }),
    }));
    const key = fc.constantFrom('ext:note@1.0.0', 'ext:ai@2.0.0', 'ext:payment@1.0.1', 'ext:c2pa@0.9.0');
    fc.assert(
      fc.property(key, object, (unknownKey, value) => {
        const given = { [unknownKey]: value };
        const stored = extensionsField.parse(given);
        expect(stored).toEqual(given);
        expect(JSON.stringify(stored)).toBe(JSON.stringify(given));
      }),
    );
  });
});

describe('a request with extensions', () => {
  it('has at most 100 extensions', () => {
    const some = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`ext:note@1.0.${n}`, {}]));
    expect(issuesOf(some(100))).toEqual([]);
    expect(issuesOf(some(101))).toEqual([['', 'Too many extensions: at most 100 are allowed']]);
  });

  it('may have no extensions', () => {
    expect(actionInputSchema.parse({ performedBy }).extensions).toEqual({});
    expect(activityInputSchema.parse({ entity: { role: 'human' } }).action.extensions).toEqual({});
    expect(entityInputSchema.parse({ role: 'human' })).not.toHaveProperty('extensions');
  });

  it.each([[null], [[]], ['text'], [1]])(
    'is refused when `extensions` is not an object: %j',
    (extensions) => {
      const { error } = actionInputSchema.safeParse({ performedBy, extensions });
      expect(error?.issues.map(({ path }) => path)).toEqual([['extensions']]);
    },
  );

  it('lists each problem by the path of its member', () => {
    const extensions = {
      'ext:contrib@1.0.0': { weight: -1, basis: 'shares' },
      'ext:git@1.0.0': { author: { name: 'Ann', email: 1, timestamp: 'today' } },
    };
    const { error } = actionInputSchema.safeParse({ performedBy, extensions });
    const paths = error?.issues.map(({ path }) => path.slice(1).join('.'));
    expect(paths).toEqual(
      expect.arrayContaining([
        'ext:contrib@1.0.0.weight',
        'ext:contrib@1.0.0.basis',
        'ext:git@1.0.0.author.email',
        'ext:git@1.0.0.author.timestamp',
        'ext:git@1.0.0.repository',
      ]),
    );
  });
});

describe('the schemas of extensions', () => {
  it.each(['input', 'output'] as const)('each have a JSON Schema with a description, for the %s', (io) => {
    for (const schema of Object.values(KNOWN_EXTENSIONS)) {
      expect(jsonSchemaOf(schema, io).description).toMatch(/^[A-Z]/);
    }
  });

  it.each([
    ['ext:ai@1.0.0', [['tool'], ['agent'], ['provider', 'model']]],
    ['ext:payment@1.0.0', [['recipients'], ['recipient']]],
    ['ext:c2pa@1.0.0', [['manifestCid'], ['manifestLabel', 'claimGenerator']]],
  ] as const)('show every shape of %s, with its required members: %j', (key, needed) => {
    const { anyOf = [] } = jsonSchemaOf(KNOWN_EXTENSIONS[key], 'input');
    expect(anyOf.map(({ required }) => required)).toEqual(needed);
  });

  it('have different ids', () => {
    const ids = Object.values(KNOWN_EXTENSIONS).map((schema) => schema.meta()?.id);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('appear in the JSON Schema of a request under the keys that a caller may send', () => {
    const { type, description } = z.toJSONSchema(extensionsField, { io: 'input' });
    expect(type).toBe('object');
    expect(description).toContain('ext:ai@1.0.0');
    expect(description).not.toContain('ext:witness@');
  });

  it('provide types to a caller', () => {
    expectTypeOf<ActionInput['extensions']>().toEqualTypeOf<Record<string, JsonObject>>();
    expectTypeOf<{ provider: string; model: string }>().toExtend<AiExtension>();
    expectTypeOf<{ tool: { provider: string } }>().not.toExtend<AiExtension>();
    expectTypeOf<KnownExtensions['ext:ai@1.0.0']>().toEqualTypeOf<AiExtension | undefined>();
  });
});
