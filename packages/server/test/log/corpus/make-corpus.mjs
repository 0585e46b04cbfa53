// Writes a corpus of receipts, proven bundles, exports, checkpoints and a backup, all made by the present version, and
// the vectors of docs/spec/receipts-v1.md:
//   node packages/server/test/log/corpus/make-corpus.mjs packages/server/test/log/corpus/v2 vectors.json
// A committed corpus never changes, and every later version has to verify it. The signing key of its log is random and
// not stored.
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChain, until } from '../../../../../bench/support/chain.mjs';
import { KEY, startService } from '../../../../../bench/support/service.mjs';
import { toStatementReceipt } from './forge-receipts.mjs';
import { makeVectors } from './make-vectors.mjs';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const ANN = 'corpus/ann';
const BOT = 'corpus/bot';

const [target, vectorsFile] = process.argv.slice(2);
if (vectorsFile === undefined)
  throw new Error('Name the directory of the corpus and the file of the vectors');
const directory = resolve(target);
mkdirSync(directory);
for (const name of ['receipts', 'bundles', 'exports', 'checkpoints']) mkdirSync(join(directory, name));
const dataDir = mkdtempSync(join(tmpdir(), 'colophon-corpus-'));
const chain = await startChain();
const { environment: chainVariables } = await chain.deploy();
const seedHex = randomBytes(32).toString('hex');
const environment = {
  DATA_DIR: dataDir,
  PUBLIC_URL: 'https://corpus.example.org',
  SERVER_SIGNING_KEY: seedHex,
  BLOCKCHAIN_ANCHOR_SECONDS: '1',
  AUDIT_INTERVAL_MINUTES: '0',
  ...chainVariables,
};
const service = await startService(environment);
const expected = {};

async function call(path, init = {}) {
  const answer = await fetch(`${service.base}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${KEY}`, ...init.headers },
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}
const readJson = async (path) => (await call(path)).json();
const send = async (path, method, body) =>
  (
    await call(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  ).json();
function write(name, value) {
  writeFileSync(join(directory, name), typeof value === 'string' ? value : `${JSON.stringify(value)}\n`);
}

async function upload(text, details) {
  const form = new FormData();
  form.set('file', new Blob([text], { type: 'text/plain' }), 'note.txt');
  form.set('json', JSON.stringify(details));
  return (await call('/v1/activity', { method: 'POST', body: form })).json();
}

/** Stores a receipt, and the report that a verifier must give. */
async function storeReceipt(name, kind, id) {
  const receipt = await readJson(`/v1/${kind}/${encodeURIComponent(id)}/receipt`);
  write(`receipts/${name}.json`, receipt);
  expected[`receipts/${name}.json`] = {
    kind,
    digest: receipt.record.digest,
    leafIndex: receipt.log.leafIndex,
    anchored: receipt.anchor !== undefined,
  };
}

async function storeBundle(name, cid, query = '') {
  const bundle = await readJson(`/v1/bundle/${cid}?proof=true${query}`);
  write(`bundles/${name}.json`, bundle);
  expected[`bundles/${name}.json`] = {
    cid: bundle.cid,
    records: bundle.proof.records.length,
    complete: bundle.complete,
    coveredLeaves: bundle.proof.mentions.statement.leaves,
  };
}

async function storeCheckpoint() {
  const { size } = await readJson('/v1/log');
  write(`checkpoints/${String(size).padStart(4, '0')}.txt`, await (await call('/v1/log/checkpoint')).text());
  return size;
}

try {
  await send('/v1/entity', 'POST', {
    id: ANN,
    role: 'human',
    name: 'Ann Ä \u{1f58b}',
    wallet: '0x52908400098527886E0F7030069857D2E4169EE7',
    metadata: { 'a/b~c': [1, 1e21, -0.5, null, 'line\nbreak'], nested: { deep: { list: [[]] } } },
  });
  await send('/v1/entity', 'POST', { id: BOT, role: 'ai', name: 'Bot' });
  const sizes = [await storeCheckpoint()];

  const text = await upload('a first text of the corpus', {
    entity: { id: ANN, role: 'human' },
    attribution: { note: 'mine, first' },
  });
  const edit = await upload('a second text, made from the first', {
    entity: { id: BOT, role: 'ai' },
    action: {
      type: 'transform',
      inputCids: [text.cid],
      extensions: {
        'ext:ai@1.0.0': {
          provider: 'Acme',
          model: 'm-1',
          prompt: 'rewrite it',
          tool: { provider: 'Acme', model: 'm-1', prompt: 'inner', systemPrompt: 'be brief' },
        },
        'ext:own:kind@2.1.0': { 'x/y': 1.25, '~': true },
      },
    },
  });
  await send('/v1/action', 'POST', {
    performedBy: ANN,
    type: 'verify',
    inputCids: [edit.cid],
    outputCids: [],
  });
  for (let count = 0; count < 12; count++)
    await upload(`a later text, number ${count}`, {
      entity: { id: count % 2 === 0 ? ANN : BOT, role: count % 2 === 0 ? 'human' : 'ai' },
      action: { type: 'transform', inputCids: [count % 3 === 0 ? text.cid : edit.cid] },
    });
  // A content above 1 MiB has another canonical identifier than the plain digest that the first action names.
  const large = 'a'.repeat(1_100_000);
  const digest = createHash('sha256').update(large).digest('hex');
  await send('/v1/action', 'POST', {
    performedBy: ANN,
    inputCids: [text.cid],
    outputCids: [`sha256:${digest}`],
  });
  const whole = await upload(large, { entity: { id: ANN, role: 'human' } });
  sizes.push(await storeCheckpoint());

  await storeReceipt('entity', 'entity', ANN);
  await storeReceipt('action', 'action', text.actionId);
  await storeReceipt('action-with-prompts', 'action', edit.actionId);
  const { attributions } = await readJson(`/v1/bundle/${edit.cid}`);
  const noted = attributions.find(({ note }) => note !== undefined);
  await storeReceipt('attribution', 'attribution', noted.id);
  await storeBundle('ancestors', edit.cid);
  await storeBundle('descendants', text.cid, '&direction=descendants');
  await storeBundle('both', edit.cid, '&direction=both');
  await storeBundle('aliases', whole.cid, '&direction=both');
  await storeBundle('cut', text.cid, '&direction=descendants&limit=3');
  for (const format of ['prov-json', 'ro-crate'])
    write(`exports/${format}.json`, await readJson(`/v1/bundle/${edit.cid}?format=${format}`));
  write('exports/bundle.json', await readJson(`/v1/bundle/${edit.cid}`));

  await send(`/v1/entity/${encodeURIComponent(BOT)}`, 'PATCH', { name: 'Bot the Second' });
  await storeReceipt('entity-changed', 'entity', BOT);
  await until(async () => (await readJson(`/v1/action/${edit.actionId}`)).onchain?.blockNumber !== undefined);
  await storeReceipt('action-anchored', 'action', edit.actionId);
  sizes.push(await storeCheckpoint());

  for (const id of [ANN, BOT])
    await call(`/v1/entity/${encodeURIComponent(id)}/personal-data`, { method: 'DELETE' });
  await storeReceipt('entity-erased', 'entity', ANN);
  await storeReceipt('action-erased', 'action', edit.actionId);
  await storeReceipt('attribution-erased', 'attribution', noted.id);
  await storeBundle('ancestors-erased', edit.cid);
  sizes.push(await storeCheckpoint());

  const last = sizes.at(-1);
  const consistency = [];
  for (const from of sizes)
    consistency.push({ from, to: last, ...(await readJson(`/v1/log/consistency?from=${from}&to=${last}`)) });
  const inclusion = [];
  for (let leafIndex = 0; leafIndex < last; leafIndex += 5)
    inclusion.push(await readJson(`/v1/log/inclusion?leafIndex=${leafIndex}&size=${last}`));
  write('proofs.json', { consistency, inclusion });
  write('log.json', await readJson('/v1/log'));
  write('expected.json', expected);
  const statementReceipt = toStatementReceipt(await readJson(`/v1/bundle/${edit.cid}?proof=true`));
  const vectors = makeVectors(directory, { seedHex, statementReceipt });
  writeFileSync(vectorsFile, `${JSON.stringify(vectors, null, 1)}\n`);
  await service.stop();
  execFileSync(process.execPath, [CLI, 'backup', join(directory, 'backup')], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: 'inherit',
  });
} finally {
  await service.stop();
  await chain.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
