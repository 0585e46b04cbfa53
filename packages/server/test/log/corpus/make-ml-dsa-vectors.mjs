// Makes the vectors of cosignatures with ML-DSA-44, with new keys at every run. Needs Node 24.8 or later:
//   node packages/server/test/log/corpus/make-ml-dsa-vectors.mjs packages/model/test/vectors/witnesses-ml-dsa-v1.json
// Computes messages, key ids and lines itself, so that the vectors do not repeat a fault of the model.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parsePolicy, parseWitnessKey, verifyPolicy, verifyWitnesses } from '../../../../model/dist/index.js';
import { createCosignatureVerifiers } from '../../../dist/access/ml-dsa.js';

const RECEIPT = new URL('v1/receipts/entity.json', import.meta.url);
const LOG = new URL('v1/log.json', import.meta.url);
const TIME = 1_764_028_800;
const [ED25519, ML_DSA] = [4, 6];

const utf8 = (text) => Buffer.from(text);
const uint64 = (value) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};
const opaque = (text) => Buffer.concat([Buffer.of(utf8(text).length), utf8(text)]);
const idOf = (name, type, publicKey) =>
  createHash('sha256')
    .update(Buffer.concat([utf8(`${name}\n`), Buffer.of(type), publicKey]))
    .digest()
    .subarray(0, 4);
const vkeyOf = (name, type, publicKey, id = idOf(name, type, publicKey)) =>
  `${name}+${id.toString('hex')}+${Buffer.concat([Buffer.of(type), publicKey]).toString('base64')}`;

function createWitness(name, type) {
  const [kind, keyBytes] = type === ML_DSA ? ['ml-dsa-44', 1_312] : ['ed25519', 32];
  const { publicKey, privateKey } = generateKeyPairSync(kind);
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-keyBytes);
  return {
    ...{ name, raw, text: vkeyOf(name, type, raw), id: idOf(name, type, raw) },
    sign: (message, context) => sign(null, message, context ? { key: privateKey, context } : privateKey),
  };
}

const one = createWitness('witness.example.org/one', ML_DSA);
const two = createWitness('drei.example/ü', ML_DSA);
const old = createWitness('witness.example.org/one', ED25519);

const checkpoint = JSON.parse(readFileSync(RECEIPT, 'utf8')).log.checkpoint;
const { verifierKey: logKey } = JSON.parse(readFileSync(LOG, 'utf8'));
const [body, logLines] = checkpoint.split('\n\n');
const [origin, size, root] = body.split('\n');
const text = `${body}\n`;
const withExtension = `${text}an extension\n`;
const empty = `${origin}\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n`;

/** The message of section "ML-DSA-44 signed message". `change` replaces fields. */
function messageOf(witness, time, change = {}) {
  const fields = {
    label: 'subtree/v1\n\0',
    name: witness.name,
    origin,
    start: 0,
    end: size,
    root,
    ...change,
  };
  return Buffer.concat([
    ...[utf8(fields.label), opaque(fields.name), uint64(time), opaque(fields.origin)],
    ...[uint64(fields.start), uint64(fields.end), Buffer.from(fields.root, 'base64')],
  ]);
}
const lineOf = ({ name, id }, data) => `— ${name} ${Buffer.concat([id, data]).toString('base64')}\n`;
const stamped = (witness, time, message = messageOf(witness, time)) =>
  Buffer.concat([uint64(time), witness.sign(message)]);
const noteOf = (...lines) => `${text}\n${logLines}${lines.join('')}`;
const changed = (bytes, place) => {
  const copy = Buffer.from(bytes);
  copy[place] ^= 1;
  return copy;
};
const cosignEd25519 = (witness, time) =>
  lineOf(witness, Buffer.concat([uint64(time), witness.sign(utf8(`cosignature/v1\ntime ${time}\n${text}`))]));

const data = stamped(one, TIME);
const line = lineOf(one, data);
const later = lineOf(one, stamped(one, TIME + 5));
const lineOfTwo = lineOf(two, stamped(two, TIME + 1));
const lineOfOld = cosignEd25519(old, TIME);
const wrong = lineOf(one, changed(data, 100));
const forged = (change, time = TIME) => lineOf(one, stamped(one, time, messageOf(one, time, change)));
const hex = (witness, time, change) => messageOf(witness, time, change).toString('hex');
const extended = `${withExtension}\n— ${origin} ${Buffer.alloc(68, 1).toString('base64')}\n`;

const valid = [
  ['one line', noteOf(line), 'one', TIME, hex(one, TIME)],
  ['a later time', noteOf(later), 'one', TIME + 5, hex(one, TIME + 5)],
  ['among other lines', noteOf(lineOfOld, lineOfTwo, line), 'one', TIME],
  ['a name with other letters', noteOf(line, lineOfTwo), 'two', TIME + 1, hex(two, TIME + 1)],
  ['two lines of one witness: the newest time', noteOf(later, line), 'one', TIME + 5],
  ['time 0: without a time', noteOf(lineOf(one, stamped(one, 0))), 'one', 0, hex(one, 0)],
  [
    'the largest time',
    noteOf(lineOf(one, stamped(one, Number.MAX_SAFE_INTEGER))),
    'one',
    Number.MAX_SAFE_INTEGER,
    hex(one, Number.MAX_SAFE_INTEGER),
  ],
  ['the message does not contain the extension line', extended + line, 'one', TIME, hex(one, TIME)],
  [
    'an empty tree',
    `${empty}\n${logLines}${forged({ end: 0, root: empty.split('\n')[2] })}`,
    'one',
    TIME,
    hex(one, TIME, { end: 0, root: empty.split('\n')[2] }),
  ],
  ['without a line of the log', `${text}\n${line}`, 'one', TIME, hex(one, TIME)],
];
const absent = [
  ['no line of the witness', noteOf(), 'one'],
  ['only other lines, one with the same name', noteOf(lineOfOld, lineOfTwo), 'one'],
  [
    'the key id of the type of Ed25519',
    noteOf(lineOf({ name: one.name, id: idOf(one.name, ED25519, one.raw) }, data)),
    'one',
  ],
];
/** The signatures of these lines are not valid. Only a verifier with ML-DSA-44 can detect this. */
const unsigned = [
  ['a changed signature', wrong],
  ['a changed time', lineOf(one, changed(data, 7))],
  ['over another root', forged({ root: Buffer.alloc(32, 9).toString('base64') })],
  ['over another size', forged({ end: Number(size) + 1 })],
  ['over another log', forged({ origin: `${origin}x` })],
  ['over the name of another witness', forged({ name: two.name })],
  ['over a subtree that begins later', forged({ start: 1 }, 0)],
  ['over another label', forged({ label: 'subtree/v2\n\0' })],
  [
    'over the message of Ed25519',
    lineOf(one, stamped(one, TIME, utf8(`cosignature/v1\ntime ${TIME}\n${text}`))),
  ],
  [
    'with a context',
    lineOf(one, Buffer.concat([uint64(TIME), one.sign(messageOf(one, TIME), Buffer.from('subtree/v1'))])),
  ],
  ['by another key', lineOf(one, stamped(two, TIME, messageOf(one, TIME)))],
  ['one valid and one changed line', line + wrong],
];
/** These lines are wrong for every verifier. */
const malformed = [
  ['without a time', lineOf(one, data.subarray(8))],
  ['one byte too many', lineOf(one, Buffer.concat([data, Buffer.of(0)]))],
  ['a signature as long as with Ed25519', lineOf(one, data.subarray(0, 72))],
  ['a time above 2^53 - 1', lineOf(one, stamped(one, 2 ** 53))],
  ['one valid line and one of another length', line + lineOf(one, data.subarray(0, 72))],
];

/** The length of this origin does not fit in one byte, so no message has it. */
const longOrigin = `${'ü'.repeat(128)}\n${size}\n${root}\n\n${logLines}${line}`;

const policies = [
  ['1 of 1', noteOf(line), ['one'], 1, 'verified', 'belowQuorum'],
  ['2 of 2, one with Ed25519', noteOf(lineOfOld, line), ['one', 'old'], 2, 'verified', 'belowQuorum'],
  ['1 of 2, one with Ed25519', noteOf(lineOfOld, line), ['one', 'old'], 1, 'verified', 'verified'],
  ['a changed line', noteOf(wrong), ['one'], 1, 'belowQuorum', 'belowQuorum'],
  ['no line', noteOf(lineOfOld), ['one'], 1, 'belowQuorum', 'belowQuorum'],
  ['2 of 2 with one line', noteOf(line), ['one', 'two'], 2, 'belowQuorum', 'belowQuorum'],
];
const file = (rule) =>
  `log ${logKey}\nwitness a ${one.text}\nwitness b ${two.text}\nwitness c ${old.text}\n${rule}\n`;
const files = [
  [
    'all',
    file('group all-of-them all a b c\nquorum all-of-them'),
    noteOf(line, lineOfTwo, lineOfOld),
    'verified',
    'belowQuorum',
  ],
  [
    'one of two kinds',
    file('group any-of-them any a c\nquorum any-of-them'),
    noteOf(lineOfOld),
    'verified',
    'verified',
  ],
  ['a changed line', file('quorum a'), noteOf(wrong, lineOfTwo, lineOfOld), 'belowQuorum', 'belowQuorum'],
  ['another witness', file('quorum b'), noteOf(line), 'belowQuorum', 'belowQuorum'],
];

const long = 'n'.repeat(256);
const keys = [
  [one.text, true],
  [two.text, true],
  [vkeyOf('n'.repeat(255), ML_DSA, one.raw), true],
  [vkeyOf(one.name, ML_DSA, one.raw, Buffer.alloc(4)), false],
  [vkeyOf(one.name, ML_DSA, one.raw, idOf(one.name, ED25519, one.raw)), false],
  [vkeyOf(one.name, ED25519, one.raw), false],
  [vkeyOf(one.name, ML_DSA, old.raw), false],
  [vkeyOf(one.name, ML_DSA, one.raw.subarray(1)), false],
  [vkeyOf(long, ML_DSA, one.raw), false],
];

const row = (name, note, key, result, resultWithout) => ({ name, note, key, result, resultWithout });
const vectors = {
  witnesses: { one: one.text, two: two.text, old: old.text },
  witnessKeys: keys.map(([key, isValid]) => ({ text: key, isValid })),
  cosignatures: [
    ...valid.map(([name, note, key, time, message]) => ({
      ...row(name, note, key, time, 'notChecked'),
      ...(message === undefined ? {} : { message }),
    })),
    ...absent.map(([name, note, key]) => row(name, note, key, 'absent', 'absent')),
    ...unsigned.map(([name, lines]) => row(name, noteOf(lines), 'one', 'badSignature', 'notChecked')),
    ...malformed.map(([name, lines]) => row(name, noteOf(lines), 'one', 'badSignature', 'badSignature')),
    row('an origin of 256 bytes', longOrigin, 'one', 'badSignature', 'badSignature'),
  ],
  policies: policies.map(([name, note, witnesses, quorum, result, resultWithout]) => ({
    ...{ name, note, witnesses, quorum, result, resultWithout },
  })),
  files: files.map(([name, content, note, result, resultWithout]) => ({
    ...{ name, file: content, note, result, resultWithout },
  })),
};

const verify = createCosignatureVerifiers();
const assertResult = (name, report, result) => {
  if ((report.verified ? 'verified' : report.code) !== result)
    throw new Error(`${name}: ${JSON.stringify(report)} in place of ${result}`);
};
for (const { name, note, witnesses, quorum, result } of vectors.policies)
  assertResult(
    name,
    verifyWitnesses(
      note,
      { witnesses: witnesses.map((key) => parseWitnessKey(vectors.witnesses[key])), quorum },
      verify,
    ),
    result,
  );
for (const { name, file: content, note, result } of vectors.files)
  assertResult(name, verifyPolicy(note, parsePolicy(utf8(content)).policy, verify), result);

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error('Name the file of the vectors');
writeFileSync(target, `${JSON.stringify(vectors, null, 2)}\n`);
