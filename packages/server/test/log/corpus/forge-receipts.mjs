import { leafHash, statementDigest, toBase64 } from '../../../../model/dist/index.js';
import { copy, FOREIGN_KEY, flip, splitKey } from './forge.mjs';

/** Receipts of a dishonest log, each with its code. */
export function receiptForgeries({ key, read, statementReceipt }) {
  const forge =
    (base) =>
    (code, what, change, more = {}) => {
      const receipt = copy(read(`receipts/${base}.json`));
      return { name: `${base}: ${what}`, text: JSON.stringify(change(receipt) ?? receipt), code, ...more };
    };
  const entity = forge('entity');
  const action = forge('action');
  const anchored = forge('action-anchored');
  const { base64 } = splitKey(key);
  const deep = (levels) => (levels === 0 ? 1 : [deep(levels - 1)]);
  return [
    entity('unsupportedVersion', 'version 2', (r) => {
      r.version = 2;
    }),
    entity('unsupportedVersion', 'no version', (r) => {
      delete r.version;
    }),
    entity('malformed', 'no record', (r) => {
      delete r.record;
    }),
    entity('malformed', 'an unknown member', (r) => {
      r.more = 1;
    }),
    entity('malformed', 'an unknown member of the log', (r) => {
      r.log.more = 1;
    }),
    entity('malformed', 'a digest in upper case', (r) => {
      r.record.digest = r.record.digest.toUpperCase();
    }),
    entity('malformed', 'a hash of 31 bytes', (r) => {
      r.log.leafHash = 'A'.repeat(40);
    }),
    entity('malformed', 'pad bits', (r) => {
      r.log.leafHash = `${r.log.leafHash.slice(0, 42)}B=`;
    }),
    entity('malformed', 'a path of 54 hashes', (r) => {
      r.log.inclusionPath = Array(54).fill(r.log.leafHash);
    }),
    entity('malformed', 'a body that is a list', (r) => {
      r.record.body = [];
    }),
    entity('malformed', 'a body of 41 levels', (r) => {
      r.record.body.deep = deep(40);
    }),
    entity('malformed', 'an empty origin', (r) => {
      r.log.origin = '';
    }),
    entity('malformed', 'a null anchor', (r) => {
      r.anchor = null;
    }),
    ...['onchain', 'recordedAt', 'digest', 'locations'].map((member) =>
      action('uncommittedMember', member, (r) => {
        r.record.body[member] = '2026-01-01T00:00:00.000Z';
      }),
    ),
    entity('otherKind', 'shown as an action', (r) => {
      r.record.kind = 'action';
    }),
    action('otherKind', 'shown as an entity', (r) => {
      r.record.kind = 'entity';
    }),
    entity('otherKind', 'without a role', (r) => {
      delete r.record.body.role;
    }),
    { name: 'a statement shown as an entity', text: JSON.stringify(statementReceipt), code: 'otherKind' },
    entity('digestMismatch', 'another name', (r) => {
      r.record.body.name = 'Eve';
    }),
    entity('digestMismatch', 'a member more', (r) => {
      r.record.body.more = null;
    }),
    entity('digestMismatch', 'without a salt', (r) => {
      delete r.record.salts['/name'];
    }),
    entity('digestMismatch', 'another salt', (r) => {
      r.record.salts['/name'] = flip(r.record.salts['/name']);
    }),
    entity('digestMismatch', 'a long salt', (r) => {
      r.record.salts['/name'] = 'A'.repeat(32);
    }),
    action('digestMismatch', 'an input less', (r) => {
      r.record.body.outputCids.pop();
    }),
    entity(
      undefined,
      'a salt without a field',
      (r) => {
        r.record.salts['/note'] = 'AAAA';
      },
      {
        warnings: ['unusedSalt'],
      },
    ),
    entity(
      'unusedSalt',
      'a salt without a field, strict',
      (r) => {
        r.record.salts['/note'] = 'AAAA';
      },
      {
        strict: true,
      },
    ),
    entity('leafMismatch', 'another leaf hash', (r) => {
      r.log.leafHash = toBase64(leafHash(`sha256:${'00'.repeat(32)}`));
    }),
    entity('malformedCheckpoint', 'no signature line', (r) => {
      r.log.checkpoint = r.log.checkpoint.split('\u2014')[0];
    }),
    entity('otherOrigin', 'another origin', (r) => {
      r.log.origin = `${r.log.origin}x`;
    }),
    entity('otherOrigin', 'the key of another log', () => {}, {
      key: FOREIGN_KEY,
    }),
    entity('untrustedKey', 'another key', () => {}, { key: '11'.repeat(32) }),
    entity('badSignature', 'a changed size', (r) => {
      r.log.checkpoint = r.log.checkpoint.replace(/\n(\d+)\n/, '\n1$1\n');
    }),
    entity('leafOutsideTree', 'the index after the last', (r) => {
      r.log.leafIndex = Number(r.log.checkpoint.split('\n')[1]);
    }),
    entity('notIncluded', 'another index', (r) => {
      r.log.leafIndex += 1;
    }),
    entity('notIncluded', 'a path too short', (r) => {
      r.log.inclusionPath.pop();
    }),
    entity('notIncluded', 'a changed path', (r) => {
      r.log.inclusionPath[0] = flip(r.log.inclusionPath[0]);
    }),
    anchored('notAnchored', 'another root', (r) => {
      r.anchor.root = flip(r.anchor.root);
    }),
    anchored('notAnchored', 'another index', (r) => {
      r.anchor.heads.index += 1;
    }),
    anchored('notAnchored', 'without heads', (r) => {
      delete r.anchor.heads;
    }),
    anchored('malformed', 'a transaction in upper case', (r) => {
      r.anchor.txHash = r.anchor.txHash.toUpperCase();
    }),
    anchored(undefined, 'another block', (r) => {
      r.anchor.blockNumber += 1;
    }),
    entity(undefined, 'the bare key', () => {}, {
      key: Buffer.from(base64, 'base64').subarray(1).toString('hex'),
    }),
  ];
}

/** A receipt that shows the statement of a bundle as if it were an entity. */
export function toStatementReceipt({ proof: { origin, checkpoint, mentions } }) {
  const { statement, leafIndex, inclusionPath } = mentions;
  const digest = statementDigest(statement);
  return {
    version: 1,
    record: { kind: 'entity', digest, body: statement, salts: {} },
    log: { origin, leafIndex, leafHash: toBase64(leafHash(digest)), inclusionPath, checkpoint },
  };
}
