// Makes the vectors of docs/spec/receipts-v1.md from a corpus. The log's key signs the forgeries of a dishonest log.
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  canonicalJson,
  findSignerFault,
  parseCheckpoint,
  parseTrustedLog,
  toBase64,
  verifyConsistency,
  verifyDocument,
  verifyEd25519,
  verifyRecordDigest,
} from '../../../../model/dist/index.js';
import { FOREIGN_KEY, flip, splitKey } from './forge.mjs';
import { bundleForgeries } from './forge-bundles.mjs';
import { receiptForgeries } from './forge-receipts.mjs';

const readJson = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));
const replaceOnce = (text, before, after) => {
  if (!text.includes(before)) throw new Error(`${before} is not in the document`);
  return text.replace(before, after);
};

/** `statementReceipt` is a statement that is shown as an entity, see `toStatementReceipt`. */
export function makeVectors(directory, { seedHex, statementReceipt }) {
  const { verifierKey: key } = readJson(directory, 'log.json');
  const signText = createTextSigner(seedHex);
  const read = (name) => readJson(directory, name);
  const corpus = { key, read, signText, statementReceipt, directory };
  return {
    key,
    canonicalJson: canonicalVectors(),
    recordDigests: digestVectors(corpus),
    checkpoints: checkpointVectors(corpus),
    verifierKeys: keyVectors(corpus),
    consistency: consistencyVectors(corpus),
    documents: [
      ...validDocuments(corpus),
      ...inputForgeries(corpus),
      ...receiptForgeries(corpus),
      ...bundleForgeries(corpus),
      { ...ALIAS_GAP, text: readFileSync(new URL('alias-gap.json', import.meta.url), 'utf8') },
    ]
      .map((one) => ({ strict: false, key, ...one }))
      .map(withResult),
  };
}

function createTextSigner(seedHex) {
  const der = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.from(seedHex, 'hex'),
  ]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return (text) => sign(null, Buffer.from(text), privateKey);
}

/** Throws when the verifier does not give the expected result. */
function withResult({ name, text, key, strict, code, warnings }) {
  const { report } = verifyDocument(text, parseTrustedLog(key), verifyEd25519, { strict });
  const result = report.verified ? 'verified' : report.code;
  if (result !== (code ?? 'verified'))
    throw new Error(`${name}: ${result} in place of ${code ?? 'verified'}`);
  if (report.verified && String(report.warnings) !== String(warnings ?? []))
    throw new Error(`${name}: warnings ${report.warnings}`);
  return { name, text, key, strict, result, warnings: report.verified ? report.warnings : [] };
}

const hide = (value) => `{"a":${value},"a":1}`;

/**
 * A bundle of a dishonest log. The bundle lacks the entry for the canonical identifier of one content, and lacks the
 * action of this content.
 */
const ALIAS_GAP = {
  name: 'ancestors: an alias whose canonical identifier has no entry, and an action less',
  key: 'corpus.example.org/log/24def823-b3b5-8e0c-93bf-3f66b2913340+eeee1e7e+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4',
  code: 'leftOut',
};

function canonicalVectors() {
  const valid = [
    '{"b":[1e21,-0],"a":null}',
    '[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]',
    '[0.000001,1e-7,123456789012345680000,1e21,5e-324,1.7976931348623157e308,9007199254740993,-0.0]',
    '[1e-6,999999999999999900000,0.1,100,1e2,-1.50,4294967296]',
    String.raw`{"\u20ac":"Euro","\r":"CR","\ufb33":"Dalet","1":"One","\ud83d\ude00":"Face","\u0080":"Control","\u00f6":"O"}`,
    String.raw`"\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"\/"`,
    String.raw`"\u007f\u2028\u2029"`,
    '  { "z" : { "b" : [ ] , "a" : { } } , "" : true }  ',
    '[[[[]]]]',
    `${'['.repeat(64)}${']'.repeat(64)}`,
  ];
  const faulty = {
    malformed: [
      ...[
        '',
        ' ',
        '{',
        '[1,]',
        '{"a":1,}',
        '01',
        '1.',
        '.5',
        '+1',
        'NaN',
        '1e309',
        "'a'",
        'True',
        '{} {}',
        '"\t"',
        '{"a" 1}',
      ],
      ...[String.raw`"\ud800"`, String.raw`"\u0000"`, String.raw`"\x41"`, '{"__proto__":1}', '\ufeff{}'],
      `${'['.repeat(65)}${']'.repeat(65)}`,
      // A later member of the same name hides these values.
      ...[String.raw`"\u0000"`, '{"__proto__":1}', String.raw`{"\ud800":1}`, '1e999'].map(hide),
      hide(`${'['.repeat(64)}${']'.repeat(64)}`),
    ],
    duplicateMember: ['{"a":1,"a":1}', String.raw`[{"b":{"a":1,"\u0061":2}}]`],
  };
  return [
    ...valid.map((text) => ({ text, canonical: canonicalJson(JSON.parse(text)) })),
    ...Object.entries(faulty).flatMap(([fault, texts]) => texts.map((text) => ({ text, fault }))),
  ];
}

function digestVectors({ directory, read }) {
  const records = readdirSync(join(directory, 'receipts')).map((name) => read(`receipts/${name}`).record);
  const [entity, action] = ['entity', 'action-with-prompts'].map(
    (name) => read(`receipts/${name}.json`).record,
  );
  const [saltOfName] = Object.values(entity.salts);
  const wrong = [
    { ...entity, salts: {} },
    { ...entity, salts: { ...entity.salts, '/name': saltOfName.slice(0, 20) } },
    { ...entity, salts: { ...entity.salts, '/name': 'AAAAAAAAAAAAAAAAAAAAAA=' } },
    { ...entity, body: { ...entity.body, name: { c: 'AAAA' } }, salts: without(entity.salts, '/name') },
    {
      ...entity,
      body: { ...entity.body, name: { c: `${'A'.repeat(43)}=`, d: 1 } },
      salts: without(entity.salts, '/name'),
    },
    { ...entity, body: { ...entity.body, role: 'ai' } },
    { ...action, body: { ...action.body, inputCids: [] } },
    { ...action, salts: without(action.salts, Object.keys(action.salts)[0]) },
    { ...entity, kind: 'attribution' },
    withLongSalt(),
  ];
  return [...records, ...wrong].map(({ kind, body, salts, digest }) => ({
    ...{ kind, body, salts },
    digest: verifyRecordDigest(kind, body, salts, digest) ? digest : null,
    claimed: digest,
  }));
}

/** A record whose salt has 17 bytes: the commitment opens, but the salt is not valid. */
function withLongSalt() {
  const [name, salt] = ['Ann', Buffer.alloc(17, 7)];
  const c = createHash('sha256').update(salt).update(JSON.stringify(name)).digest('base64');
  const body = { id: 'a', role: 'human' };
  const text = canonicalJson({ ...body, name: { c } });
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  return { kind: 'entity', body: { ...body, name }, salts: { '/name': salt.toString('base64') }, digest };
}

const without = (object, name) => Object.fromEntries(Object.entries(object).filter(([one]) => one !== name));

function checkpointVectors({ directory, key, signText }) {
  const texts = readdirSync(join(directory, 'checkpoints')).map((name) =>
    readFileSync(join(directory, 'checkpoints', name), 'utf8'),
  );
  const [text] = texts;
  const [origin, size, root, , line] = text.split('\n');
  const signed = (body, name = origin) => {
    const keyId = Buffer.from(splitKey(key).keyId, 'hex');
    return `${body}\n\u2014 ${name} ${Buffer.concat([keyId, signText(body)]).toString('base64')}\n`;
  };
  const publicHex = Buffer.from(splitKey(key).base64, 'base64').subarray(1).toString('hex');
  const cases = [
    ...texts.map((one) => [one, key]),
    [text, publicHex],
    [`${text}\u2014 example.org/witness AAAAAAAA\n`, key],
    [signed(`${origin}\n${size}\n${root}\nan extension\n`), key],
    [text, '00'.repeat(32)],
    [text.replace(line, line.slice(0, -10) + flip(line.slice(-10))), key],
    [text.replace(`\n${size}\n`, `\n${Number(size) + 1}\n`), key],
    [text.replace(line, line.replace('\u2014', '-')), key],
    [text.replace(`\n${size}\n`, `\n0${size}\n`), key],
    [signed(`${origin}\n${size}\n${root}\n\nmore\n`), key],
    [signed(`${origin}\n${size}\n${root.slice(0, -4)}\n`), key],
    [signed(`${origin}\n9007199254740992\n${root}\n`), key],
    [text.slice(0, -1), key],
    [`${text}\n`, key],
    [text.replace('\n\n', '\n'), key],
    [text.replace(origin, `${origin}\u0001`), key],
    ['', key],
  ];
  return cases.map(([one, by]) => {
    const trusted = parseTrustedLog(by);
    const checkpoint = parseCheckpoint(one);
    const fault =
      checkpoint === undefined
        ? 'malformedCheckpoint'
        : findSignerFault(checkpoint, { named: checkpoint.origin, trusted, verify: verifyEd25519 });
    return { text: one, key: by, result: fault ?? checkpoint.size };
  });
}

function keyVectors({ key }) {
  const { name, keyId, base64 } = splitKey(key);
  const texts = [
    key,
    FOREIGN_KEY,
    'PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    `${name}+${keyId.toUpperCase()}+${base64}`,
    `${name}+${keyId}+${base64}=`,
    `${name}+${keyId}+${flip(base64)}`,
    `${name} x+${keyId}+${base64}`,
    `${name}+${keyId}`,
    '',
  ];
  return texts.map((text) => ({ text, isValid: parseTrustedLog(text)?.origin !== undefined }));
}

function consistencyVectors({ directory, read }) {
  const heads = new Map();
  for (const name of readdirSync(join(directory, 'checkpoints'))) {
    const { size, root } = parseCheckpoint(readFileSync(join(directory, 'checkpoints', name), 'utf8'));
    heads.set(size, { size, root: toBase64(root) });
  }
  const cases = read('proofs.json').consistency.flatMap(({ from, to, consistencyPath: path }) => {
    const [older, newer] = [heads.get(from), heads.get(to)];
    return [
      { from: older, to: newer, path },
      { from: { ...older, root: flip(older.root) }, to: newer, path },
      { from: older, to: newer, path: path.slice(1) },
      { from: newer, to: older, path },
      { from: older, to: newer, path: [...path, newer.root] },
    ];
  });
  const toHead = ({ size, root }) => ({ size, root: Buffer.from(root, 'base64') });
  return cases.map((one) => ({
    ...one,
    isValid: verifyConsistency(
      toHead(one.from),
      toHead(one.to),
      one.path.map((hash) => Buffer.from(hash, 'base64')),
    ),
  }));
}

function validDocuments({ directory, read }) {
  return ['receipts', 'bundles'].flatMap((folder) =>
    readdirSync(join(directory, folder)).flatMap((name) => {
      const text = JSON.stringify(read(`${folder}/${name}`));
      return [false, true].map((strict) => ({ name: `${folder}/${name}`, text, strict }));
    }),
  );
}

/** Faults of the text itself, in both formats. */
function inputForgeries({ read }) {
  return ['receipts/entity.json', 'bundles/ancestors.json'].flatMap((name) => {
    const text = JSON.stringify(read(name));
    const changed = (code, what, before, after, more = {}) => ({
      ...{ name: `${name}: ${what}`, text: replaceOnce(text, before, after), ...more },
      ...(code === undefined ? {} : { code }),
    });
    const number = /"leafIndex":(\d+)/.exec(text);
    return [
      changed(
        'duplicateMember',
        'a member twice, with the same value',
        '"version":1',
        '"version":1,"version":1',
      ),
      changed(
        'duplicateMember',
        'a member twice, with an escape',
        '"version":1',
        String.raw`"\u0076ersion":2,"version":1`,
      ),
      changed('malformed', 'a comma too many', '}', ',}'),
      changed('malformed', 'a member __proto__', '{', '{"__proto__":1,'),
      changed('malformed', 'a byte order mark', '{', '\ufeff{'),
      changed(undefined, 'an index as a fraction', number[0], `${number[0]}.0`, { warnings: ['numberText'] }),
      changed('numberText', 'an index as a fraction, strict', number[0], `${number[0]}.0`, { strict: true }),
      changed('malformed', 'an index that is no integer', number[0], `${number[0]}.5`),
      changed('malformed', 'a negative index', number[0], '"leafIndex":-1'),
      changed('malformed', 'an index of 2^53', number[0], '"leafIndex":9007199254740992'),
      changed('malformed', 'an index as a text', number[0], `"leafIndex":"${number[1]}"`),
      { name: `${name}: no JSON`, text: text.slice(1), code: 'malformed' },
      { name: `${name}: in an array`, text: `[${text}]`, code: 'malformed' },
    ];
  });
}
