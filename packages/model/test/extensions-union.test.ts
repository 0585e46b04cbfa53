import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KNOWN_EXTENSIONS, type KnownExtensionKey } from '../src/index.js';

const AT = '2026-08-02T09:30:00Z';
const split = { recipients: [{ entityId: 'a', share: 10_000 }] };
const ingredient = { title: 't', relationship: 'parentOf', validationStatus: [{ code: 'x' }] };

const VALID: [name: string, value: object][] = [
  ['ai', { tool: { provider: 'p', model: 'm', parameters: { temperature: 0.2 }, tokensUsed: 10, seed: -1 } }],
  ['ai', { agent: {} }],
  [
    'ai',
    { agent: { model: { provider: 'p', model: 'm' }, capabilities: ['search'], autonomyLevel: 'full' } },
  ],
  ['ai', { provider: 'p', model: 'm', autonomyLevel: 'autonomous', tokensUsed: null, generationTime: 1.5 }],
  ['ai', { provider: 'p', model: 'm', tool: { provider: 'p', model: 'm' } }],
  ['c2pa', { manifestCid: 'c' }],
  [
    'c2pa',
    { manifestCid: 'c', generator: 'g', aiDisclosure: null, actions: ['c2pa.created'], signedBy: 's' },
  ],
  ['c2pa', { manifestCid: 'c', aiDisclosure: 'ai_assisted', ingredientCids: ['d'], validSignature: false }],
  ['c2pa', { manifestLabel: 'l', claimGenerator: 'g', actions: [{ action: 'c2pa.created', when: AT }] }],
  ['c2pa', { manifestLabel: 'l', claimGenerator: 'g', ingredients: [ingredient] }],
  ['payment', { recipient: '0x1', method: 'direct' }],
  ['payment', { recipients: [] }],
  [
    'payment',
    {
      recipients: [
        { entityId: 'a', share: 9_999 },
        { entityId: 'b', share: 1 },
      ],
    },
  ],
  [
    'payment',
    {
      recipients: [
        { entityId: 'a', share: 10_000 },
        { entityId: 'b', share: 0 },
      ],
    },
  ],
  ['payment', { ...split, method: 'superfluid', chainId: 8453, totalFlowRate: '9'.repeat(78) }],
  ['payment', { recipient: { address: '0x1' }, method: 'direct', splitBps: 0, config: { a: null } }],
];

/** An extension, an invalid value, and the paths of its problems. */
const INVALID: [name: string, value: object, paths: string[]][] = [
  ['ai', { tool: { provider: 'p' } }, ['tool.model']],
  ['ai', { tool: { model: 'm' } }, ['tool.provider']],
  ['ai', { tool: null }, ['tool']],
  ['ai', { tool: { provider: 'p', model: 'm', tokensUsed: -1 } }, ['tool.tokensUsed']],
  ['ai', { tool: { provider: 'p', model: 'm', tokensUsed: 1.5 } }, ['tool.tokensUsed']],
  ['ai', { tool: { provider: 'p', model: 'm', parameters: [] } }, ['tool.parameters']],
  ['ai', { tool: { provider: 'p', model: 'm' }, provider: 1 }, ['provider']],
  ['ai', { tool: { provider: 'p', model: 'm' }, agent: { framework: 1 } }, ['agent.framework']],
  ['ai', { agent: { model: { provider: 'p' } } }, ['agent.model.model']],
  ['ai', { agent: { capabilities: 'search' } }, ['agent.capabilities']],
  ['ai', { provider: 'p' }, ['model']],
  ['ai', { model: 'm' }, ['provider']],
  ['ai', { provider: '', model: '' }, ['provider', 'model']],
  ['ai', { provider: 'p', model: 'm', autonomyLevel: 3 }, ['autonomyLevel']],
  ['ai', { provider: 'p', model: 'm', generationTime: -1 }, ['generationTime']],
  ['ai', { provider: 'p', model: 'm', prompt: null }, ['prompt']],
  ['ai', { autonomyLevel: 'full' }, ['']],
  ['c2pa', { manifestCid: '' }, ['manifestCid']],
  ['c2pa', { manifestCid: 'c', aiDisclosure: 'ai' }, ['aiDisclosure']],
  ['c2pa', { manifestCid: 'c', actions: [{ action: 'c2pa.created' }] }, ['actions.0']],
  ['c2pa', { manifestCid: 'c', ingredientCids: [1] }, ['ingredientCids.0']],
  ['c2pa', { manifestCid: 'c', validSignature: 'yes' }, ['validSignature']],
  ['c2pa', { manifestLabel: 'l' }, ['claimGenerator']],
  ['c2pa', { manifestLabel: 'l', claimGenerator: 'g', aiDisclosure: null }, ['aiDisclosure']],
  ['c2pa', { manifestLabel: 'l', claimGenerator: 'g', actions: ['c2pa.created'] }, ['actions.0']],
  ['c2pa', { manifestLabel: 'l', claimGenerator: 'g', signature: {} }, ['signature.algorithm']],
  ['c2pa', { generator: 'g' }, ['']],
  ['payment', { recipients: [{ entityId: 'a', share: 9_999 }] }, ['recipients']],
  [
    'payment',
    {
      recipients: [
        { entityId: 'a', share: 6_000 },
        { entityId: 'b', share: 4_001 },
      ],
    },
    ['recipients'],
  ],
  [
    'payment',
    {
      recipients: [
        { entityId: 'a', share: 5_000 },
        { entityId: 'a', share: 5_000 },
      ],
    },
    ['recipients.1.entityId'],
  ],
  ['payment', { recipients: [{ entityId: 'a', share: 10_001 }] }, ['recipients.0.share', 'recipients']],
  [
    'payment',
    {
      recipients: [
        { entityId: 'a', share: 10_001 },
        { entityId: 'b', share: -1 },
      ],
    },
    ['recipients.0.share', 'recipients.1.share'],
  ],
  ['payment', { recipients: [{ entityId: 'a', share: 0.5 }] }, ['recipients.0.share']],
  ['payment', { recipients: [{ entityId: '', share: 10_000 }] }, ['recipients.0.entityId']],
  ['payment', { recipients: null }, ['recipients']],
  ['payment', { ...split, chainId: 1.5 }, ['chainId']],
  ['payment', { ...split, chainId: '8453' }, ['chainId']],
  ['payment', { ...split, totalFlowRate: 385 }, ['totalFlowRate']],
  ['payment', { ...split, totalFlowRate: '-1' }, ['totalFlowRate']],
  ['payment', { ...split, totalFlowRate: '1.5' }, ['totalFlowRate']],
  ['payment', { ...split, totalFlowRate: '9'.repeat(79) }, ['totalFlowRate']],
  ['payment', { recipient: '' }, ['recipient']],
  ['payment', { recipient: 1 }, ['recipient']],
  ['payment', { recipient: { address: '0x1', chainId: 'base' } }, ['recipient.chainId']],
  ['payment', { recipient: {} }, ['recipient.address']],
  ['payment', { recipient: { address: '0x1' }, splitBps: 10_001 }, ['splitBps']],
  ['payment', { method: 'split' }, ['']],
];

function pathsOf(name: string, value: object): string[] {
  const schema = KNOWN_EXTENSIONS[`ext:${name}@1.0.0` as KnownExtensionKey];
  return schema.safeParse(value).error?.issues.map(({ path }) => path.join('.')) ?? [];
}

describe('the schema of several shapes', () => {
  it.each(VALID)('for ext:%s@1.0.0 accepts %j', (name, value) => {
    expect(pathsOf(name, value)).toEqual([]);
  });

  it.each(VALID)('for ext:%s@1.0.0 keeps an unknown member in %j', (name, value) => {
    const schema = KNOWN_EXTENSIONS[`ext:${name}@1.0.0` as KnownExtensionKey];
    expect(schema.parse({ ...value, own: [null] })).toEqual({ ...value, own: [null] });
  });

  it.each(INVALID)('for ext:%s@1.0.0 rejects %j at %j and nowhere else', (name, value, paths) => {
    expect(pathsOf(name, value)).toEqual(paths);
  });

  it.each([
    ['ai', 'Expected an object with one of `tool`, `agent`, `provider`, `model`'],
    ['payment', 'Expected an object with one of `recipients`, `recipient`'],
    ['c2pa', 'Expected an object with one of `manifestCid`, `manifestLabel`'],
  ])('for ext:%s@1.0.0 names the members that decide the shape', (name, message) => {
    const schema = KNOWN_EXTENSIONS[`ext:${name}@1.0.0` as KnownExtensionKey];
    expect(schema.safeParse({ own: 1 }).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  it.each([{ value: null }, { value: 'text' }, { value: 1 }, { value: [] }])(
    'for ext:ai@1.0.0 rejects $value, which is not an object',
    ({ value }) => {
      const schema = KNOWN_EXTENSIONS['ext:ai@1.0.0'];
      expect(schema.safeParse(value).error?.issues).toHaveLength(1);
    },
  );

  it('takes the first shape if a value has the members that decide both shapes', () => {
    const payment = { recipient: '0x1', recipients: [] };
    expect(KNOWN_EXTENSIONS['ext:payment@1.0.0'].parse(payment)).toEqual(payment);
    const c2pa = { manifestLabel: 'l', manifestCid: 'c', actions: ['c2pa.created'] };
    expect(KNOWN_EXTENSIONS['ext:c2pa@1.0.0'].parse(c2pa)).toEqual(c2pa);
  });

  it('keeps unknown members of nested objects too', () => {
    const kept: [KnownExtensionKey, object][] = [
      [
        'ext:ai@1.0.0',
        {
          tool: { provider: 'p', model: 'm', own: 1 },
          agent: { model: { provider: 'p', model: 'm', own: 1 } },
        },
      ],
      ['ext:payment@1.0.0', { recipients: [{ entityId: 'a', share: 10_000, own: 1 }] }],
      ['ext:payment@1.0.0', { recipient: { address: '0x1', own: 1 } }],
      ['ext:c2pa@1.0.0', { manifestLabel: 'l', claimGenerator: 'g', actions: [{ action: 'a', own: 1 }] }],
    ];
    for (const [key, value] of kept) expect(KNOWN_EXTENSIONS[key].parse(value)).toEqual(value);
  });
});

describe('the shares of a recorded payment', () => {
  it('are accepted if their sum is 10000, and rejected if the sum differs by one basis point', () => {
    const cuts = fc.array(fc.integer({ min: 0, max: 10_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(cuts, fc.nat(), fc.constantFrom(-1, 1), (points, index, step) => {
        const bounds = [0, ...points.sort((a, b) => a - b), 10_000];
        const shares = bounds.slice(1).map((bound, at) => bound - (bounds[at] ?? 0));
        const recipients = shares.map((share, at) => ({ entityId: `e:${at}`, share }));
        expect(pathsOf('payment', { recipients })).toEqual([]);

        const off = recipients.map((recipient, at) =>
          at === index % shares.length ? { ...recipient, share: recipient.share + step } : recipient,
        );
        expect(pathsOf('payment', { recipients: off })).toContain('recipients');
      }),
    );
  });
});
