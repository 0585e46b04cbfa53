import { actionKey, chainsValue, toBase64 } from '../../../../model/dist/index.js';
import {
  ALIASED,
  aliased,
  changed,
  drop,
  has,
  lied,
  MADE,
  made,
  mentionsOf,
  proofOf,
  RECORDS,
  swap,
} from './bundles-v2.mjs';
import { copy, FOREIGN_KEY, flip } from './forge.mjs';
import { eraseNote, INVALID_ERASURES, showCommitment, VALID_ERASURES } from './forge-erasures.mjs';
import { ORIGIN } from './forge-log.mjs';

export const VALID = {
  ...VALID_ERASURES,
  'a history with attributions of actions, of contents and of both': () => made(),
  'both directions': () => made({ direction: 'both', shown: has([...MADE, 'a3']) }),
  'descendants of the source': () =>
    made({ cid: 'source', direction: 'descendants', shown: has([...MADE, 'a3']) }),
  'a content without actions and attributions': () => made({ cid: 'never', shown: has([]) }),
  'an empty map': () => made({ cid: 'never', covered: 0, shown: has([]) }),
  'an action with no attribution': () =>
    made({
      cid: 'later',
      shown: has([...MADE, 'a3']),
      records: RECORDS.filter(({ body }) => body.id !== 't6'),
    }),
  'an alias with its own attribution': () => aliased(),
  'an attribution after the statement': () => made({ covered: 10 }),
  'an attribution after the statement, left out': () => made({ covered: 10, shown: has(MADE, ['t6']) }),
  'a cut bundle without attributions': () =>
    made({ complete: false, shown: has(MADE, ['t3', 't4', 't5', 't6', 'bot']) }),
  'an unknown member': () => lied((b) => Object.assign(b, { more: { of: ['anything'] } })),
  'the history of another content, by an alias of the service': () =>
    made({ cid: 'other', aliases: { other: 'made' } }),
  'no alias, in a list': () => made({ aliases: {} }),
  'members of records that their digests do not cover': () =>
    lied((b) => {
      Object.assign(b.entities[0], { locations: ['https://example.org'], onchain: { txHash: '0x' } });
      b.attributions[0].digest = `sha256:${'0'.repeat(64)}`;
      b.actions[0].locations = [];
    }),
  'unknown members with names in another order': () =>
    lied((b) => Object.assign(b, { '\ufb33': 1, '\u{1f600}': 2, constructor: 3, 'a b': 4 })),
  'resources and times': () =>
    lied((b) => {
      b.resources = [{ cid: 'made' }];
      b.actions[0].recordedAt = 'T';
    }),
  'attributions in another order of the list': () => lied((b) => b.attributions.reverse()),
};

/** Valid bundles of a version. */
export const bundlesOf = (version) =>
  Promise.all([
    made({ version }),
    made({ version, direction: 'both', shown: has([...MADE, 'a3']) }),
    made({ version, cid: 'other', aliases: { other: 'made' } }),
    made({ version, complete: false, covered: 10 }),
    aliased({ version }),
    lied(eraseNote, made({ version })),
    lied(showCommitment, made({ version })),
  ]);

/** [code, name, bundle, more] */
export const INVALID = [
  ...INVALID_ERASURES,
  ['unsupportedVersion', 'version 3', () => lied((b) => Object.assign(b.proof, { version: 3 }))],
  ['unsupportedVersion', 'version null', () => lied((b) => Object.assign(b.proof, { version: null }))],
  [
    'unsupportedVersion',
    'a statement of version 1',
    () => lied((b) => Object.assign(mentionsOf(b).statement, { version: 1 })),
  ],
  ['unsupportedVersion', 'no mentions', () => lied((b) => delete b.proof.mentions)],
  [
    'malformed',
    'version 1 with the members of version 2',
    () => lied((b) => Object.assign(b.proof, { version: 1 })),
  ],
  ['malformed', 'no byAction', () => lied((b) => delete mentionsOf(b).byAction)],
  ['malformed', 'byAction is a list', () => lied((b) => Object.assign(mentionsOf(b), { byAction: [] }))],
  ['malformed', 'no attributed of a name', () => lied((b) => delete mentionsOf(b).byName.made.attributed)],
  [
    'malformed',
    'made of an action',
    () =>
      lied((b) => {
        mentionsOf(b).byAction.a1.made = mentionsOf(b).byAction.a1.attributed;
      }),
  ],
  [
    'malformed',
    'an actionId that is no text',
    () => lied((b) => Object.assign(b.attributions[0], { actionId: null })),
  ],
  [
    'malformed',
    'a resourceCid that is no text',
    () => lied((b) => Object.assign(b.attributions[0], { resourceCid: ['made'] })),
  ],
  ['malformedCheckpoint', 'no checkpoint', () => lied((b) => Object.assign(b.proof, { checkpoint: 'x\n' }))],
  ['otherOrigin', 'another origin', () => lied((b) => Object.assign(b.proof, { origin: `${ORIGIN}x` }))],
  ['otherOrigin', 'the key of another log', () => made(), { key: FOREIGN_KEY }],
  ['untrustedKey', 'another key', () => made(), { key: '22'.repeat(32) }],
  [
    'badSignature',
    'a changed checkpoint',
    () =>
      lied((b) => {
        b.proof.checkpoint = b.proof.checkpoint.replace(/\n(\d+)\n/, '\n1$1\n');
      }),
  ],
  ['notSigned', 'no signature', () => changed((b) => Object.assign(b.proof, { signatures: [] }))],
  [
    'badBundleSignature',
    'an attribution less, not signed',
    () => changed((b) => drop(b, 'attributions', 't3')),
  ],
  [
    'badBundleSignature',
    'a changed chain, not signed',
    () =>
      changed((b) => {
        mentionsOf(b).byAction.a2.attributed.count -= 1;
      }),
  ],
  ['unprovenRecord', 'an attribution without its proof', () => lied((b) => b.proof.records.pop())],
  ['unprovenRecord', 'an attribution twice', () => lied((b) => b.attributions.push(copy(b.attributions[0])))],
  [
    'otherKind',
    'an attribution among the entities',
    () =>
      lied((b) => {
        const one = b.attributions.pop();
        proofOf(b, one.id).kind = 'entity';
        b.entities.push(one);
      }),
  ],
  [
    'digestMismatch',
    'an attribution with another actionId',
    () => lied((b) => Object.assign(b.attributions[0], { actionId: 'a2' })),
  ],
  [
    'digestMismatch',
    'an attribution without its resourceCid',
    () => lied((b) => delete b.attributions[0].resourceCid),
  ],
  [
    'digestMismatch',
    'the digest of another attribution',
    () =>
      lied((b) => {
        const { digest, leafIndex, inclusionPath } = proofOf(b, 't4');
        Object.assign(proofOf(b, 't3'), { digest, leafIndex, inclusionPath });
      }),
  ],
  [
    'unusedSalt',
    'a salt without a field, strict',
    () => lied((b) => Object.assign(proofOf(b, 't1').salts, { '/x': 'AAAA' })),
    { strict: true },
  ],
  [
    'leafOutsideTree',
    'an attribution behind the end',
    () => lied((b) => Object.assign(proofOf(b, 't1'), { leafIndex: 99 })),
  ],
  [
    'notIncluded',
    'the index of another attribution',
    () => lied((b) => Object.assign(proofOf(b, 't3'), { leafIndex: 7 })),
  ],
  [
    'notIncluded',
    'an attribution moved after the statement',
    () => lied((b) => Object.assign(proofOf(b, 't3'), { leafIndex: 15 })),
  ],
  ['absentEntity', 'the entity of an attribution left out', () => made({ shown: has(MADE, ['bot']) })],
  [
    'otherStatement',
    'another number of names',
    () =>
      lied((b) => {
        mentionsOf(b).statement.names += 1;
      }),
  ],
  [
    'otherStatement',
    'a statement that covers its own leaf',
    () =>
      lied((b) => {
        mentionsOf(b).statement.leaves = mentionsOf(b).leafIndex + 1;
      }),
  ],
  [
    'otherMentions',
    'an attribution of an action left out, with a smaller count',
    () =>
      lied((b) => {
        drop(b, 'attributions', 't4');
        mentionsOf(b).byAction.a2.attributed.count -= 1;
      }),
  ],
  [
    'otherMentions',
    'an attribution of a content left out, with a chain without it',
    () =>
      lied((b) => {
        drop(b, 'attributions', 't5');
        mentionsOf(b).byName.aside.attributed = { count: 0, head: toBase64(new Uint8Array(32)) };
      }),
  ],
  [
    'otherMentions',
    'the entry of another action',
    () =>
      lied((b) => {
        mentionsOf(b).byAction.a1 = mentionsOf(b).byAction.a2;
      }),
  ],
  [
    'otherMentions',
    'the entry of a content as that of an action',
    () =>
      lied((b) => {
        const { attributed, path } = mentionsOf(b).byName.made;
        mentionsOf(b).byAction.a1 = { attributed, path };
      }),
  ],
  [
    'otherMentions',
    'an action said to have no entry, beside its own leaf',
    () =>
      lied((b) => {
        const { attributed, path } = mentionsOf(b).byAction.a1;
        const other = {
          key: toBase64(actionKey('a1')),
          value: toBase64(chainsValue([{ ...attributed, head: Buffer.from(attributed.head, 'base64') }])),
        };
        mentionsOf(b).byAction.a1 = {
          attributed: { count: 0, head: toBase64(new Uint8Array(32)) },
          path,
          other,
        };
      }),
  ],
  [
    'otherMentions',
    'another step',
    () =>
      lied((b) => {
        mentionsOf(b).byAction.a1.path[0].hash = flip(mentionsOf(b).byAction.a1.path[0].hash);
      }),
  ],
  ['unstatedName', 'no entry for an action', () => lied((b) => delete mentionsOf(b).byAction.a1)],
  ['unstatedName', 'no entry for a content', () => lied((b) => delete mentionsOf(b).byName.aside)],
  [
    'unstatedName',
    'no entry for the canonical identifier of an alias that no record names',
    () =>
      lied((b) => {
        b.aliases = { made: 'made', source: 'other' };
      }),
  ],
  ['leftOut', 'an attribution of a content left out', () => made({ shown: has(MADE, ['t3', 'bot']) })],
  ['leftOut', 'an attribution of an action left out', () => made({ shown: has(MADE, ['t4']) })],
  ['leftOut', 'an attribution of both left out', () => made({ shown: has(MADE, ['t1']) })],
  [
    'leftOut',
    'an attribution of an output that the walk does not reach, left out',
    () => made({ shown: has(MADE, ['t5']) }),
  ],
  [
    'leftOut',
    'an attribution of another action to a content, left out',
    () => made({ shown: has(MADE, ['t6']) }),
  ],
  ['leftOut', 'an attribution of an alias left out', () => aliased({ shown: has(ALIASED, ['t7']) })],
  [
    'leftOut',
    'an attribution that the map does not count',
    () => made({ counted: (some) => some.filter(({ body }) => body.id !== 't3') }),
  ],
  [
    'leftOut',
    'two attributions that the map has in the other order',
    () => made({ counted: (some) => swap(some, 't3', 't6') }),
  ],
  [
    'leftOut',
    'a map with the digest of another attribution',
    () =>
      made({
        counted: (some) =>
          some.map((one) => (one.body.id === 't5' ? { ...one, digest: some[3].digest } : one)),
      }),
  ],
  [
    'leftOut',
    'a map that counts an attribution for another action',
    () =>
      made({
        counted: (some) =>
          some.map((one) => (one.body.id === 't4' ? { ...one, body: { ...one.body, actionId: 'a1' } } : one)),
      }),
  ],
  ['leftOut', 'an action left out', () => made({ shown: has(MADE, ['a1', 't1']) })],
];
