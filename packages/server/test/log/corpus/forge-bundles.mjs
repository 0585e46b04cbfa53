import { provenBundleText } from '../../../../model/dist/index.js';
import { copy, FOREIGN_KEY, flip } from './forge.mjs';

/** Proven bundles of a dishonest log, each with its code. The key of the log signed most of them. */
export function bundleForgeries({ read, signText }) {
  const forge =
    (base, isSigned) =>
    (code, what, change, more = {}) => {
      const bundle = copy(read(`bundles/${base}.json`));
      change(bundle);
      if (isSigned) bundle.proof.signatures[0].sig = signText(provenBundleText(bundle)).toString('base64');
      return { name: `${base}: ${what}`, text: JSON.stringify(bundle), code, ...more };
    };
  const changed = forge('ancestors', false);
  const lied = forge('ancestors', true);
  const erased = forge('ancestors-erased', true);
  const proofOf = ({ proof }, kind, id) => proof.records.find((one) => one.kind === kind && one.id === id);
  const drop = (bundle, list, kind, id) => {
    bundle[list] = bundle[list].filter((one) => one.id !== id);
    bundle.proof.records = bundle.proof.records.filter((one) => one.kind !== kind || one.id !== id);
  };
  const [anyName] = Object.keys(read('bundles/ancestors.json').proof.mentions.byName);
  const first = (b) => b.proof.mentions.byName[anyName];
  return [
    changed('unsupportedVersion', 'version 2', (b) => {
      b.proof.version = 2;
    }),
    changed('malformed', 'no version', (b) => {
      delete b.proof.version;
    }),
    changed('malformed', 'a null proof', (b) => {
      b.proof = null;
    }),
    changed('malformed', 'an unknown member of the proof', (b) => {
      b.proof.more = 1;
    }),
    changed('malformed', 'no cid', (b) => {
      delete b.cid;
    }),
    changed('malformed', 'another direction', (b) => {
      b.proof.direction = 'up';
    }),
    changed('malformedCheckpoint', 'no checkpoint', (b) => {
      b.proof.checkpoint = 'x\n';
    }),
    changed('otherOrigin', 'another origin', (b) => {
      b.proof.origin = 'example.org/log';
    }),
    changed('untrustedKey', 'another key', () => {}, { key: '22'.repeat(32) }),
    changed('badSignature', 'a changed checkpoint', (b) => {
      b.proof.checkpoint = b.proof.checkpoint.replace(/\n(\d+)\n/, '\n1$1\n');
    }),
    changed('notSigned', 'no signature', (b) => {
      b.proof.signatures = [];
    }),
    changed('notSigned', 'another key id', (b) => {
      b.proof.signatures[0].keyid = '00000000';
    }),
    changed('badBundleSignature', 'another member', (b) => {
      b.more = 1;
    }),
    changed('badBundleSignature', 'a signature that is no base64', (b) => {
      b.proof.signatures[0].sig = '?';
    }),
    lied(undefined, 'another member, signed', (b) => {
      b.more = { of: ['anything'] };
    }),
    lied('unprovenRecord', 'a proof less', (b) => {
      b.proof.records.pop();
    }),
    lied('unprovenRecord', 'a proof twice', (b) => {
      b.proof.records.push(copy(b.proof.records[0]));
    }),
    lied('unprovenRecord', 'a record twice', (b) => {
      b.entities.push(copy(b.entities[0]));
    }),
    lied('otherKind', 'an attribution among the entities', (b) => {
      const [one] = b.attributions;
      proofOf(b, 'attribution', one.id).kind = 'entity';
      b.attributions = b.attributions.filter(({ id }) => id !== one.id);
      b.entities.push(one);
    }),
    lied('digestMismatch', 'another role', (b) => {
      b.entities[0].role = 'organization';
    }),
    lied('digestMismatch', 'another digest of an action', (b) => {
      b.actions[0].digest = `sha256:${'0'.repeat(64)}`;
    }),
    lied('digestMismatch', 'erased, but shown', (b) => {
      b.proof.records[0].erased = { '/name': `${'A'.repeat(43)}=` };
    }),
    erased('digestMismatch', 'an erased field less', (b) => {
      const proof = b.proof.records.find((one) => one.erased !== undefined);
      delete proof.erased[Object.keys(proof.erased)[0]];
    }),
    erased('digestMismatch', 'another commitment', (b) => {
      const proof = b.proof.records.find((one) => one.erased !== undefined);
      const [pointer] = Object.keys(proof.erased);
      proof.erased[pointer] = flip(proof.erased[pointer]);
    }),
    lied(
      undefined,
      'a salt without a field',
      (b) => {
        b.proof.records[0].salts['/x'] = 'AAAA';
      },
      {
        warnings: ['unusedSalt'],
      },
    ),
    lied(
      'unusedSalt',
      'a salt without a field, strict',
      (b) => {
        b.proof.records[0].salts['/x'] = 'AAAA';
      },
      { strict: true },
    ),
    lied('leafOutsideTree', 'an index outside', (b) => {
      b.proof.records[0].leafIndex = 1_000_000;
    }),
    lied('notIncluded', 'another index', (b) => {
      b.proof.records[0].leafIndex += 1;
    }),
    lied('absentEntity', 'an entity less', (b) => drop(b, 'entities', 'entity', b.actions[0].performedBy)),
    lied('otherStatement', 'another statement', (b) => {
      b.proof.mentions.statement.leaves -= 1;
    }),
    lied('otherStatement', 'another leaf', (b) => {
      b.proof.mentions.leafIndex -= 1;
    }),
    lied('otherMentions', 'another count', (b) => {
      first(b).made.count += 1;
    }),
    lied('otherMentions', 'another step', (b) => {
      first(b).path[0].bit = 255;
    }),
    lied('unstatedName', 'a name less', (b) => {
      delete b.proof.mentions.byName[b.cid];
    }),
    lied('leftOut', 'an action less', (b) => {
      const [one] = b.actions;
      drop(b, 'actions', 'action', one.id);
    }),
    lied(undefined, 'an attribution less', (b) =>
      drop(b, 'attributions', 'attribution', b.attributions[0].id),
    ),
    lied('malformed', 'a statement of version 2', (b) => {
      b.proof.mentions.statement.version = 2;
    }),
    lied('otherOrigin', 'the key of another log', () => {}, { key: FOREIGN_KEY }),
    forge('descendants', true)('leftOut', 'no entry for the canonical identifier of an alias', (b) => {
      delete b.proof.mentions.byName[Object.values(b.aliases)[0]];
    }),
    forge('descendants', true)('leftOut', 'an action in the middle less', (b) => {
      const one = b.actions.find(({ inputCids }) => !inputCids.includes(b.cid));
      drop(b, 'actions', 'action', one.id);
    }),
  ];
}
