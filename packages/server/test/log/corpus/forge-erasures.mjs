import { committedBody, toBase64 } from '../../../../model/dist/index.js';
import { lied, proofOf } from './bundles-v2.mjs';

/** Replaces the note of an attribution by its commitment, as the service does after an erasure. */
export function eraseNote(bundle) {
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
export function showCommitment(bundle) {
  const body = bundle.attributions.find(({ id }) => id === 't2');
  const own = proofOf(bundle, 't2');
  body.note = committedBody('attribution', body, own.salts).note;
  own.salts = {};
}
const SOME_HASH = toBase64(new Uint8Array(32));
const erasing = (pointer) => () =>
  lied((b) => Object.assign(proofOf(b, 't1'), { erased: { [pointer]: SOME_HASH } }));

export const VALID_ERASURES = {
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
  'an empty list of erased fields': () => lied((b) => Object.assign(proofOf(b, 't2'), { erased: {} })),
};

/** [code, name, bundle] */
export const INVALID_ERASURES = [
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
    'an erased note that another attribution shows',
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
];
