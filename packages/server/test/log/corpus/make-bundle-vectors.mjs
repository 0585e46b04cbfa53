// Makes the vectors of docs/spec/proven-bundles-v2.md from a log in memory. Each run makes the same vectors:
//   node packages/server/test/log/corpus/make-bundle-vectors.mjs packages/model/test/vectors/proven-bundles-v2.json
// The log also signs the false documents of a dishonest service.
import { writeFileSync } from 'node:fs';
import {
  actionKey,
  chainsValue,
  emptyChain,
  extendChain,
  parseTrustedLog,
  toBase64,
  verifyDocument,
  verifyEd25519,
} from '../../../../model/dist/index.js';
import { made } from './bundles-v2.mjs';
import { INVALID, VALID } from './forge-bundles-v2.mjs';
import { LOG_KEY } from './forge-log.mjs';

async function* documents() {
  for (const [name, make] of Object.entries(VALID)) {
    const text = JSON.stringify(await make());
    for (const strict of [false, true]) yield { name: strict ? `${name}, strict` : name, text, strict };
  }
  const text = JSON.stringify(await made());
  const index = /"leafIndex":(\d+)/.exec(text)[0];
  yield { name: 'an index as a fraction', text: text.replace(index, `${index}.0`), warnings: ['numberText'] };
  yield { name: 'version 2.0', text: text.replace('"version":2', '"version":2.0'), warnings: ['numberText'] };
  yield {
    name: 'an index as a fraction, strict',
    text: text.replace(index, `${index}.0`),
    strict: true,
    code: 'numberText',
  };
  yield {
    name: 'a member twice',
    text: text.replace('"version":2', '"version":1,"version":2'),
    code: 'duplicateMember',
  };
  yield {
    name: 'a NUL in the id of an action',
    text: text.replaceAll('"a1"', String.raw`"\u0000a1"`),
    code: 'malformed',
  };
  for (const [code, name, make, more] of INVALID)
    yield { name, text: JSON.stringify(await make()), code, ...more };
}

/** Throws when the verifier does not give the expected result. */
function withResult({ name, text, key = LOG_KEY, strict = false, code = 'verified', warnings = [] }) {
  const { report } = verifyDocument(text, parseTrustedLog(key), verifyEd25519, { strict });
  const result = report.verified ? 'verified' : report.code;
  if (result !== code) throw new Error(`${name}: ${result} in place of ${code}`);
  if (report.verified && String(report.warnings) !== String(warnings))
    throw new Error(`${name}: warnings ${report.warnings}`);
  const signedOnly = report.verified ? { signedOnly: report.signedOnly } : {};
  return { name, text, key, strict, result, warnings, ...signedOnly };
}

const toHex = (bytes) => Buffer.from(bytes).toString('hex');
const one = extendChain(emptyChain(), `sha256:${'11'.repeat(32)}`);
const two = extendChain(one, `sha256:${'22'.repeat(32)}`);
const toVector = (chains) => ({
  chains: chains.map(({ count, head }) => ({ count, head: toBase64(head) })),
  value: toHex(chainsValue(chains)),
});
const vectors = {
  key: LOG_KEY,
  actionKeys: ['a1', '0198c0de-0000-7000-8000-000000000000', '', '\u00e9'].map((id) => ({
    id,
    key: toHex(actionKey(id)),
  })),
  values: [[two], [emptyChain()], [one, emptyChain(), two], [emptyChain(), two, one]].map(toVector),
  documents: [],
};
for await (const document of documents()) vectors.documents.push(withResult(document));
writeFileSync(process.argv[2], `${JSON.stringify(vectors, null, 1)}\n`);
