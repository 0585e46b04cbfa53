// Makes the vectors of docs/spec/timestamps-v1.md, with new keys of the authorities at every run:
//   node packages/server/test/log/corpus/make-timestamp-vectors.mjs packages/model/test/vectors/timestamps-v1.json
import { writeFileSync } from 'node:fs';
import {
  formatCheckpoint,
  headHash,
  leafHash,
  parseTrustedLog,
  proveInclusion,
  signCheckpoint,
  toBase64,
  treeRoot,
  verifyEd25519,
  verifyTimestamp,
} from '../../../../model/dist/index.js';
import { createVerifyToken, parseCertificates } from '../../../dist/anchors/timestamps/verify-token.js';
import { createTestSigner, LOG_KEY, ORIGIN, readFrom } from './forge-log.mjs';
import { makeTokens } from './stamp-tokens.mjs';

const DIGEST = `sha256:${'5a'.repeat(32)}`;
const OTHER_DIGEST = `sha256:${'5b'.repeat(32)}`;
const [LEAF, SIZE, PLACE, LOGS] = [3, 6, 1, 3];
const signer = createTestSigner(3);

const fill = (size, at, hash) =>
  Array.from({ length: size }, (_, index) =>
    index === at ? hash : leafHash(`sha256:${String(index).padStart(64, '0')}`),
  );
const pathOf = async (leafIndex, size, read) =>
  (await proveInclusion({ leafIndex, size }, read)).map(toBase64);

/** A time-stamp without a token. Its root covers the heads of `logs` logs. The head of its own log is at `place`. */
async function toTimestamp(logs = LOGS, place = PLACE) {
  const read = readFrom(fill(SIZE, LEAF, leafHash(DIGEST)));
  const head = { origin: ORIGIN, size: SIZE, root: await treeRoot(SIZE, read) };
  const readHeads = readFrom(fill(logs, place, headHash(formatCheckpoint(head))));
  return {
    version: 1,
    digest: DIGEST,
    log: {
      ...{ origin: ORIGIN, leafIndex: LEAF, leafHash: toBase64(leafHash(DIGEST)) },
      inclusionPath: await pathOf(LEAF, SIZE, read),
      checkpoint: signCheckpoint(head, signer),
    },
    heads: { index: place, size: logs, path: await pathOf(place, logs, readHeads) },
    root: toBase64(await treeRoot(logs, readHeads)),
  };
}

/** Changes of a time-stamp outside its token, each as `[code, name, text, terms]`. */
function changed(timestamp) {
  const { log, heads } = timestamp;
  const zero = toBase64(new Uint8Array(32));
  const withLog = (change) => ({ ...timestamp, log: { ...log, ...change } });
  const withHeads = (change) => ({ ...timestamp, heads: { ...heads, ...change } });
  const text = JSON.stringify(timestamp);
  const wrongSignature = log.checkpoint.replace(
    /(.)(=*\n)$/,
    (_, last, end) => (last === 'A' ? 'E' : 'A') + end,
  );
  return [
    ['malformed', 'a text that is not JSON', text.slice(0, -1)],
    ['malformed', 'an array', [timestamp]],
    ['malformed', 'a further member', { ...timestamp, more: 1 }],
    ['malformed', 'no heads', { ...timestamp, heads: undefined }],
    ['malformed', 'an empty token', { ...timestamp, token: '' }],
    ['malformed', 'a token without padding', { ...timestamp, token: 'AA' }],
    ['malformed', 'a token that is too long', { ...timestamp, token: 'A'.repeat(87_388) }],
    ['malformed', 'a leaf index below 0', withLog({ leafIndex: -1 })],
    ['duplicateMember', 'a member twice', text.replace('{', '{"version":1,')],
    ['unsupportedVersion', 'version 2', { ...timestamp, version: 2 }],
    ['unsupportedVersion', 'no version', {}],
    ['otherRecord', 'another digest in the document', { ...timestamp, digest: OTHER_DIGEST }],
    ['otherRecord', 'another record of the reader', timestamp, { digest: OTHER_DIGEST }],
    ['leafMismatch', 'another leaf hash', withLog({ leafHash: zero })],
    ['malformedCheckpoint', 'a text that is no checkpoint', withLog({ checkpoint: 'words' })],
    ['otherOrigin', 'another origin', withLog({ origin: 'example.org/other' })],
    ['untrustedKey', 'another trusted key', timestamp, { key: createTestSigner(4).publicKeyHex }],
    ['badSignature', 'a changed signature of the checkpoint', withLog({ checkpoint: wrongSignature })],
    ['leafOutsideTree', 'an index that is the size', withLog({ leafIndex: SIZE })],
    ['notIncluded', 'the index before', withLog({ leafIndex: LEAF - 1 })],
    ['notIncluded', 'an empty path', withLog({ inclusionPath: [] })],
    ['notCovered', 'another root', { ...timestamp, root: zero }],
    ['notCovered', 'another index of the head', withHeads({ index: 0 })],
    ['notCovered', 'a longer path of the head', withHeads({ path: [...heads.path, zero] })],
    ['retiredKey', 'a key that was retired before the tree', timestamp, { maxSize: SIZE - 1 }],
    ['verified', 'a key that was retired with this tree', timestamp, { maxSize: SIZE }],
    ['verified', 'a number in an unusual form', text.replace('"leafIndex":3', '"leafIndex":3.0')],
    ['untrustedAuthority', 'another trusted authority', timestamp, { trusted: 'elsewhere' }],
  ];
}

/** Throws when the verifier does not give the expected result. */
async function toVector([code, name, document, terms = {}], certificates) {
  const { digest = DIGEST, key = LOG_KEY, maxSize = null, trusted = 'root' } = terms;
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const report = await verifyTimestamp(text, {
    digest,
    trusted: { ...parseTrustedLog(key), ...(maxSize === null ? {} : { maxSize }) },
    verify: verifyEd25519,
    verifyToken: createVerifyToken(parseCertificates(certificates[trusted])),
  });
  const result = report.verified ? 'verified' : report.code;
  if (result !== code) throw new Error(`${name}: ${result} in place of ${code}`);
  const { time = null, authority = null } = report;
  return { name, text, digest, key, maxSize, trusted, result, time, authority };
}

const bare = await toTimestamp();
const alone = await toTimestamp(1, 0);
const { certificates, tokens } = makeTokens(Buffer.from(bare.root, 'base64'));
const withToken = (token) => ({ ...bare, token: Buffer.from(token).toString('base64') });
const [[, , sound]] = tokens;
const cases = [
  ...tokens.map(([code, name, token]) => [code, name, withToken(token)]),
  ['otherImprint', 'the token of another root', { ...alone, token: withToken(sound).token }],
  ...changed(withToken(sound)),
];
const documents = [];
for (const one of cases) documents.push(await toVector(one, certificates));
writeFileSync(process.argv[2], `${JSON.stringify({ certificates, documents }, null, 1)}\n`);
