import { actionKey, chainsValue, committedBody, toBase64 } from '../../../../model/dist/index.js';
import { copy, FOREIGN_KEY, flip } from './forge.mjs';
import { makeBundle, ORIGIN, signAgain, toRecords } from './forge-log.mjs';

const toAction = (id, inputCids, outputCids) => [
  'action',
  {
    id,
    type: 'transform',
    performedBy: 'ann',
    inputCids,
    outputCids,
    extensions: { 'ext:x@1.0.0': { deep: [1.5] } },
  },
];
const toAttribution = (id, targets, more = {}) => [
  'attribution',
  { id, entityId: 'ann', role: 'creator', ...targets, ...more, createdAt: 'T' },
];
export const RECORDS = toRecords([
  ['entity', { id: 'ann', role: 'human', name: 'Ann \u00c4', createdAt: 'T' }],
  ['entity', { id: 'bot', role: 'ai', createdAt: 'T' }],
  toAction('a1', [], ['source']),
  toAttribution('t1', { actionId: 'a1', resourceCid: 'source' }),
  toAction('a2', ['source'], ['made', 'aside']),
  toAttribution('t2', { actionId: 'a2', resourceCid: 'made' }, { note: 'mine' }),
  toAttribution('t3', { resourceCid: 'made' }, { entityId: 'bot', role: 'contributor', weight: 2 }),
  toAttribution('t4', { actionId: 'a2' }, { role: 'source' }),
  toAttribution('t5', { resourceCid: 'aside' }, { role: 'contributor' }),
  toAction('a3', ['made'], ['later']),
  toAttribution('t6', { actionId: 'a3', resourceCid: 'made' }, { role: 'ext:own' }),
  toAction('a4', ['alias'], []),
  toAttribution('t7', { resourceCid: 'alias' }),
  toAction('a5', [], ['unrelated']),
  toAttribution('t8', { actionId: 'a5', resourceCid: 'unrelated' }),
]);
const MADE = ['ann', 'bot', 'a1', 't1', 'a2', 't2', 't3', 't4', 't5', 't6'];
const ALIASED = ['ann', 'a4', 't7'];
const has =
  (ids, without = []) =>
  ({ body }) =>
    ids.includes(body.id) && !without.includes(body.id);
const swap = (records, a, b) => {
  const places = [a, b].map((id) => records.findIndex(({ body }) => body.id === id));
  const [one, other] = places.map((place) => records[place]);
  return records.with(places[0], other).with(places[1], one);
};

export const made = (options = {}) =>
  makeBundle({ records: RECORDS, cid: 'made', shown: has(MADE), ...options });
const aliased = (options = {}) =>
  makeBundle({
    ...{ records: RECORDS, cid: 'canonical', direction: 'descendants', aliases: { alias: 'canonical' } },
    shown: has(ALIASED),
    ...options,
  });
const changed = async (change, base = made()) => {
  const bundle = copy(await base);
  change(bundle);
  return bundle;
};
const lied = async (change, base) => signAgain(await changed(change, base));
const proofOf = ({ proof }, id) => proof.records.find((one) => one.id === id);
const mentionsOf = ({ proof }) => proof.mentions;
const drop = (bundle, list, id) => {
  bundle[list] = bundle[list].filter((one) => one.id !== id);
  bundle.proof.records = bundle.proof.records.filter((one) => one.id !== id);
};

/** Replaces the note of an attribution by its commitment, as the service does after an erasure. */
function eraseNote(bundle) {
  const body = bundle.attributions.find(({ id }) => id === 't2');
  const own = proofOf(bundle, 't2');
  own.erased = { '/note': committedBody('attribution', body, own.salts).note.c };
  own.salts = {};
  delete body.note;
  body.erasure = { at: 'T', fields: ['/note'] };
}

/** Withholds the note from a reader. The service still has it. */
function withholdNote(bundle) {
  eraseNote(bundle);
  delete bundle.attributions.find(({ id }) => id === 't2').erasure;
}

/** Shows the note of an attribution as its commitment, as a receipt does after an erasure. */
function showCommitment(bundle) {
  const body = bundle.attributions.find(({ id }) => id === 't2');
  const own = proofOf(bundle, 't2');
  body.note = committedBody('attribution', body, own.salts).note;
  own.salts = {};
}
const SOME_HASH = toBase64(new Uint8Array(32));
const erasing = (pointer) => () =>
  lied((b) => Object.assign(proofOf(b, 't1'), { erased: { [pointer]: SOME_HASH } }));

export const VALID = {
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
  'an erased note': () => lied(eraseNote),
  'a withheld note': () => lied(withholdNote),
  'a withheld name and an erased note': () =>
    lied((b) => {
      eraseNote(b);
      const [ann] = b.entities;
      const own = proofOf(b, 'ann');
      own.erased = { '/name': committedBody('entity', ann, own.salts).name.c };
      own.salts = {};
      delete ann.name;
    }),
  'a commitment that is shown': () => lied(showCommitment),
  'no erased field, in a list': () => lied((b) => Object.assign(proofOf(b, 't2'), { erased: {} })),
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
    'digestMismatch',
    'an erased note that is still shown',
    () =>
      lied((b) => {
        eraseNote(b);
        b.attributions.find(({ id }) => id === 't2').note = 'mine';
      }),
  ],
  [
    'digestMismatch',
    'a commitment that is shown, with an empty list of erased fields',
    () =>
      lied((b) => {
        showCommitment(b);
        proofOf(b, 't2').erased = {};
      }),
  ],
  [
    'digestMismatch',
    'a note that was erased, and a commitment that is shown',
    () =>
      lied((b) => {
        const { note } = b.attributions.find(({ id }) => id === 't2');
        eraseNote(b);
        Object.assign(b.attributions[0], { note });
      }),
  ],
  [
    'digestMismatch',
    'a withheld note with another commitment',
    () =>
      lied((b) => {
        withholdNote(b);
        proofOf(b, 't2').erased = { '/note': SOME_HASH };
      }),
  ],
  [
    'digestMismatch',
    'a withheld note without its commitment',
    () =>
      lied((b) => {
        withholdNote(b);
        delete proofOf(b, 't2').erased;
      }),
  ],
  [
    'digestMismatch',
    'a withheld role, which is not a personal field',
    () =>
      lied((b) => {
        const body = b.attributions.find(({ id }) => id === 't2');
        proofOf(b, 't2').erased = { '/role': SOME_HASH };
        delete body.role;
      }),
  ],
  [
    'digestMismatch',
    'an erased note with its salt',
    () =>
      lied((b) => {
        const { salts } = proofOf(b, 't2');
        eraseNote(b);
        proofOf(b, 't2').salts = salts;
      }),
  ],
  ...[
    ['a member that is not personal', '/x'],
    ['the whole record', ''],
    ['a member without a name', '/'],
    ['a member of a member that is absent', '/x/note'],
    ['a member of a text', '/role/note'],
    ['a name with escapes', '/a~1b~0c'],
  ].map(([name, pointer]) => ['digestMismatch', `an erased field: ${name}`, erasing(pointer)]),
  ...['note', 'x/note', '/note~2', '/note~', '/~a/note'].map((pointer) => [
    'malformed',
    `an erased field that is no JSON pointer: ${pointer}`,
    erasing(pointer),
  ]),
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
