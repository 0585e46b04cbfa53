// Makes the vectors of docs/spec/log-keys-v1.md from a log in memory, the same ones at every run:
//   node packages/server/test/log/corpus/make-key-vectors.mjs packages/model/test/vectors/log-keys-v1.json
import { writeFileSync } from 'node:fs';
import {
  parseTrustedLog,
  verifyByKeys,
  verifyDocument,
  verifyEd25519,
  verifyKeyHistory,
} from '../../../../model/dist/index.js';
import { A, DOCUMENTS, history, INVALID, keyOf, receipt, VALID } from './forge-keys.mjs';

const follow = (text, key) => verifyKeyHistory(text, parseTrustedLog(key), verifyEd25519);

/** Throws when the verifier does not give the expected result. */
function toHistory({ name, text, key = keyOf(A), code = 'verified' }) {
  const report = follow(text, key);
  const result = report.verified ? 'verified' : report.code;
  if (result !== code) throw new Error(`${name}: ${result} in place of ${code}`);
  const keys = (report.keys ?? []).map(({ publicKey, maxSize = null }) => ({
    publicKey: Buffer.from(publicKey).toString('hex'),
    maxSize,
  }));
  return { name, text, key, result, keys };
}

function toDocument({ name, text, keys, code }) {
  const sound = JSON.stringify(whole);
  const all = keys.flatMap((key) => {
    const report = follow(sound, key);
    return report.verified ? report.keys : [parseTrustedLog(key)];
  });
  const { report } = verifyByKeys(all, (trusted) => verifyDocument(text, trusted, verifyEd25519).report);
  const result = report.verified ? 'verified' : report.code;
  if (result !== code) throw new Error(`${name}: ${result} in place of ${code}`);
  return { name, text, keys, result };
}

const whole = await history();
const vectors = { history: JSON.stringify(whole), histories: [], documents: [] };
for (const [name, make, key] of VALID)
  vectors.histories.push(toHistory({ name, text: JSON.stringify(await make()), key }));
const texts = [
  ['verified', 'a number in an unusual form', vectors.history.replace('"leafIndex":3', '"leafIndex":3.0')],
  ['duplicateMember', 'a member twice', vectors.history.replace('"version":1', '"version":1,"version":1')],
  ['malformed', 'a text that is not JSON', vectors.history.slice(0, -1)],
];
for (const [code, name, text] of texts) vectors.histories.push(toHistory({ name, text, code }));
for (const [code, name, make, key] of INVALID)
  vectors.histories.push(toHistory({ name, text: JSON.stringify(await make()), key, code }));
for (const [code, name, size, signer, keys = [keyOf(A)]] of DOCUMENTS)
  vectors.documents.push(toDocument({ name, text: JSON.stringify(await receipt(size, signer)), keys, code }));
writeFileSync(process.argv[2], `${JSON.stringify(vectors, null, 1)}\n`);
