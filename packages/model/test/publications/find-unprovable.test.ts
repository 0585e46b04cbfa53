import { expect, it } from 'vitest';
import {
  type Bundle,
  findUnprovable,
  isProvable,
  isToolAlone,
  type UnprovableChoice,
  WITHHOLDABLE,
  WITHOUT_AI,
} from '../../src/index.js';

const ID = '0191c7a0-0000-7000-8000-000000000000';
const MADE = `human:${'0'.repeat(32)}`;
const [EVM, OTHER_EVM] = [`0x${'ab'.repeat(20)}`, `0x${'ab'.repeat(19)}cd`];

function toBundle(entity: object, action: object): Bundle {
  const [one, other] = [
    { id: MADE, role: 'human', ...entity },
    { id: 'a', type: 'create', performedBy: MADE, inputCids: [], outputCids: ['c'], ...action },
  ];
  const empty = { attributions: [], resources: [], complete: true, aliases: { alias: 'c' } };
  return { cid: 'c', entities: [one], actions: [other], ...empty } as unknown as Bundle;
}

it.each<[string, object, object, UnprovableChoice[]]>([
  ['ids of the service', { name: 'Ann' }, {}, []],
  ['an id that somebody chose', { id: 'studio:ann' }, {}, ['names']],
  ['an id with a wallet', { id: 'studio:0xAB', wallet: '0xab' }, {}, ['names', 'wallets']],
  ['an id with an EVM address', { id: `studio:${EVM}`, wallet: EVM.toUpperCase() }, {}, ['names', 'wallets']],
  ['an id with another EVM address', { id: `studio:${OTHER_EVM}`, wallet: EVM }, {}, ['names']],
  ['a wallet and an id of the service with the same text', { wallet: '0000' }, {}, []],
  ['a tool', {}, { aiTool: { provider: 'Acme', model: 'fill' } }, ['tools']],
  ['a tool in an extension', {}, { extensions: { 'ext:ai@1.0.0': { model: 'fill' } } }, ['tools']],
  ['a statement of no AI', {}, { extensions: { 'ext:mark@1.0.0': WITHOUT_AI } }, ['tools']],
  [
    'a mark with the provider of the tool',
    {},
    {
      extensions: {
        'ext:mark@1.0.0': {
          aiDisclosure: 'ai_generated',
          generator: { name: 'painter-2', provider: 'Acme' },
        },
      },
    },
    ['tools'],
  ],
  [
    'a mark with more data',
    {},
    { extensions: { 'ext:mark@1.0.0': { ...WITHOUT_AI, place: 'Oslo' } } },
    ['tools', 'details'],
  ],
  [
    'a mark that names an input of its action',
    {},
    { inputCids: ['b'], extensions: { 'ext:mark@1.0.0': { ...WITHOUT_AI, markedCid: 'b' } } },
    ['tools'],
  ],
  [
    'a mark that names an input by its canonical id',
    {},
    { inputCids: ['alias'], extensions: { 'ext:mark@1.0.0': { ...WITHOUT_AI, markedCid: 'c' } } },
    ['tools'],
  ],
  [
    'a mark that names another content',
    {},
    { inputCids: ['b'], extensions: { 'ext:mark@1.0.0': { ...WITHOUT_AI, markedCid: 'c' } } },
    ['tools', 'details'],
  ],
  ['a correction', {}, { extensions: { 'ext:correction@1.0.0': { actionId: ID } } }, []],
  [
    'a correction with more data',
    {},
    { extensions: { 'ext:correction@1.0.0': { actionId: ID, by: 'Ann' } } },
    ['details'],
  ],
  ['a licence', {}, { extensions: { 'ext:license@1.0.0': { type: 'CC0-1.0' } } }, ['license']],
  [
    'a licence with the person who grants it',
    {},
    { extensions: { 'ext:license@1.0.0': { type: 'CC0-1.0', grantedBy: MADE } } },
    ['license', 'details'],
  ],
  ['a session', {}, { sessionId: 's' }, ['details']],
])(
  'for a history with %s, findUnprovable returns exactly the choices that make a proof impossible',
  (_, entity, action, expected) => {
    const bundle = toBundle(entity, action);
    expect(findUnprovable(bundle, { withhold: WITHHOLDABLE, hiddenEntities: [] })).toEqual(expected);
    expect(findUnprovable(bundle, { withhold: [], hiddenEntities: [] })).toEqual([]);
    expect(isProvable(bundle, { withhold: WITHHOLDABLE, hiddenEntities: [] })).toBe(expected.length === 0);
    expect(isProvable(bundle, { withhold: [], hiddenEntities: 'all' })).toBe(false);
    const kept = WITHHOLDABLE.filter((thing) => !(expected as string[]).includes(thing));
    const license = expected.includes('license');
    expect(findUnprovable(bundle, { withhold: kept, hiddenEntities: [], license })).toEqual([]);
    expect(findUnprovable(bundle, { withhold: [], hiddenEntities: 'all' })).toEqual(['hiddenEntities']);
  },
);

it('findUnprovable searches long ids for wallets, but reports wallets with too many lengths', () => {
  const ids = Array.from({ length: 500 }, (_, place) => `studio:${'x'.repeat(50)}${place}`);
  const choose = (toWallet: (place: number) => string) => {
    const entities = ids.map((id, place) => ({ id, role: 'human', wallet: toWallet(place) }));
    const bundle = { ...toBundle({}, {}), entities } as unknown as Bundle;
    return findUnprovable(bundle, { withhold: ['wallets', 'details'], hiddenEntities: [] });
  };
  expect(choose((place) => `0x${place.toString(16).padStart(40, '0')}`)).toEqual([]);
  expect(choose((place) => `wallet-${place % 10}.eth`)).toEqual([]);
  expect(choose((place) => `${'w'.repeat(place % 9)}.eth`)).toEqual(['wallets']);
});

it('isProvable does not read the inputs of actions without a mark', () => {
  const bundle = toBundle({}, {});
  const actions = bundle.actions.map((action) =>
    Object.defineProperty(action, 'inputCids', {
      get() {
        throw new Error('The inputs were read.');
      },
    }),
  );
  expect(isProvable({ ...bundle, actions }, { withhold: ['tools', 'details'], hiddenEntities: [] })).toBe(
    true,
  );
});

it('isToolAlone stays an export, for code that imports it', () => {
  expect(isToolAlone({ provider: 'acme', model: 'heron', prompt: 'a heron at dawn' })).toBe(true);
  expect(isToolAlone({ provider: 'acme', model: 'heron', seed: 7 })).toBe(false);
});
