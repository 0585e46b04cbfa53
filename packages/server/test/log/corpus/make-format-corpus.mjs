// Writes a small corpus of all formats of a log with two keys, two witnesses, a chain and a time-stamping authority:
//   node packages/server/test/log/corpus/make-format-corpus.mjs packages/server/test/log/corpus/formats-2
// A committed corpus never changes, and every later version has to verify it. All keys are random and not stored.
import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChain, until } from '../../../../../bench/support/chain.mjs';
import { end, endWithUs, freePort } from '../../../../../bench/support/processes.mjs';
import { KEY, startService } from '../../../../../bench/support/service.mjs';
import { formatVerifierKey, toVerifierKey } from '../../../../model/dist/index.js';
import { namedProjectId } from '../../../dist/access/create-key.js';
import { createSigner } from '../../../dist/access/ed25519.js';
import { startAuthority } from './authority.mjs';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const ORIGIN = `corpus.example.org/log/${namedProjectId('one')}`;
const ANN = 'corpus/ann';
const BOT = 'corpus/bot';
const FORMATS = { json: 'application/json', cose: 'application/cose', 'tlog-proof': 'text/x.tlog.proof' };

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error('Name the directory of the corpus');
const directory = resolve(target);
mkdirSync(directory);
for (const name of ['receipts', 'timestamps', 'bundles']) mkdirSync(join(directory, name));
const work = mkdtempSync(join(tmpdir(), 'colophon-corpus-'));
const seeds = [1, 2].map(() => randomBytes(32).toString('hex'));
const logKeys = seeds.map((seed) =>
  formatVerifierKey(toVerifierKey(ORIGIN, Buffer.from(createSigner(seed).publicKeyHex, 'hex'))),
);

async function startWitness(name) {
  const port = await freePort();
  const logs = logKeys.flatMap((key) => ['--log', key]);
  const options = [
    '--dir',
    join(work, name),
    '--name',
    `witness.example.org/${name}`,
    '--port',
    String(port),
  ];
  const child = spawn(process.execPath, [CLI, 'witness', ...options, ...logs], {
    env: { PATH: process.env.PATH },
    cwd: work,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithUs(child);
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  await until(() => /^address +\S+$/m.test(printed));
  const [, key] = /^key +(\S+)$/m.exec(printed);
  return { key, url: `http://127.0.0.1:${port}`, stop: () => end(child, 'SIGTERM') };
}

for (const name of ['one', 'two', 'authority']) mkdirSync(join(work, name), { mode: 0o700 });
const witnesses = [await startWitness('one'), await startWitness('two')];
const authority = await startAuthority(join(work, 'authority'));
const chain = await startChain();
const environment = {
  DATA_DIR: join(work, 'data'),
  PUBLIC_URL: 'https://corpus.example.org',
  BLOCKCHAIN_ANCHOR_SECONDS: '1',
  AUDIT_INTERVAL_MINUTES: '0',
  WITNESSES: witnesses.map(({ key, url }) => `${key} ${url}`).join('\n'),
  WITNESS_INTERVAL: '1',
  TSA_URL: authority.url,
  TSA_INTERVAL: '1',
  TSA_TRUST_ANCHORS: authority.rootFile,
  ...(await chain.deploy()).environment,
};
let service;
const start = async (seed) => {
  service = await startService({ ...environment, SERVER_SIGNING_KEY: seed });
};
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
async function send(path, method, body) {
  const headers = { 'content-type': 'application/json' };
  return (await call(path, { method, headers, body: JSON.stringify(body) })).json();
}
const write = (name, value) =>
  writeFileSync(join(directory, name), typeof value === 'string' ? value : `${JSON.stringify(value)}\n`);

async function upload(text, details) {
  const form = new FormData();
  form.set('file', new Blob([text], { type: 'text/plain' }), 'note.txt');
  form.set('json', JSON.stringify(details));
  return (await call('/v1/activity', { method: 'POST', body: form })).json();
}

/** Waits until both witnesses have cosigned the newest checkpoint. */
const untilCosigned = () =>
  until(async () => (await (await call('/v1/log/checkpoint')).text()).split('\n\u2014 ').length === 4);

/** Stores a receipt in each format, and the facts that a verifier must report. */
async function storeReceipt(name, kind, id, { isStamped = false } = {}) {
  const path = `/v1/${kind}/${encodeURIComponent(id)}`;
  const { record, log, anchor } = await readJson(`${path}/receipt`);
  for (const [ending, accept] of Object.entries(FORMATS)) {
    const answer = await call(`${path}/receipt`, { headers: { accept } });
    writeFileSync(join(directory, `receipts/${name}.${ending}`), Buffer.from(await answer.arrayBuffer()));
  }
  expected.receipts ??= {};
  expected.receipts[name] = {
    ...{ kind, id, digest: record.digest, leafIndex: log.leafIndex },
    ...{ size: Number(log.checkpoint.split('\n')[1]), isAnchored: anchor !== undefined, isStamped },
    cosignatures: log.checkpoint.split('\n\u2014 witness').length - 1,
  };
  if (!isStamped) return;
  const readStamp = () => call(`${path}/timestamp`).catch(() => undefined);
  const stamp = await until(readStamp);
  writeFileSync(join(directory, `timestamps/${name}.json`), await stamp.text());
}

async function storeBundle(name, cid, query = '') {
  const bundle = await readJson(`/v1/bundle/${cid}?proof=true${query}`);
  write(`bundles/${name}.json`, bundle);
  expected.bundles ??= {};
  expected.bundles[name] = {
    version: bundle.proof.version ?? 1,
    ...{ cid: bundle.cid, records: bundle.proof.records.length, complete: bundle.complete },
    coveredLeaves: bundle.proof.mentions.statement.leaves,
  };
}

/**
 * Creates the records that the log has while it uses the first key. Resolves to the answers with the ids that
 * `storeOfFirstKey` and `storeOfSecondKey` use.
 */
async function recordFirst() {
  await send('/v1/entity', 'POST', {
    id: ANN,
    role: 'human',
    name: 'Ann \u00c4 \u{1f58b}',
    wallet: '0x52908400098527886E0F7030069857D2E4169EE7',
    metadata: { 'a/b~c': [1, 1e21, -0.5, null, 'line\nbreak'] },
  });
  await send('/v1/entity', 'POST', { id: BOT, role: 'ai', name: 'Bot' });
  const text = await upload('a first text of the corpus', {
    entity: { id: ANN, role: 'human' },
    attribution: { note: 'mine, first' },
  });
  const ai = { provider: 'Acme', model: 'm-1', prompt: 'rewrite it' };
  const edit = await upload('a second text, made from the first', {
    entity: { id: BOT, role: 'ai' },
    action: {
      type: 'transform',
      inputCids: [text.cid],
      extensions: { 'ext:ai@1.0.0': { ...ai, tool: { ...ai, systemPrompt: 'be brief' } } },
    },
  });
  const large = 'a'.repeat(1_100_000);
  const digest = createHash('sha256').update(large).digest('hex');
  const alias = { performedBy: ANN, inputCids: [text.cid], outputCids: [`sha256:${digest}`] };
  await send('/v1/action', 'POST', alias);
  const whole = await upload(large, { entity: { id: ANN, role: 'human' } });
  const { attributions } = await readJson(`/v1/bundle/${edit.cid}`);
  const noted = attributions.find(({ note }) => note !== undefined);
  await until(async () => (await readJson(`/v1/action/${edit.actionId}`)).onchain?.blockNumber !== undefined);
  return { text, edit, whole, noted };
}

async function storeOfFirstKey({ text, edit, whole, noted }) {
  await untilCosigned();
  await storeReceipt('entity', 'entity', ANN, { isStamped: true });
  await storeReceipt('action', 'action', edit.actionId, { isStamped: true });
  await storeReceipt('attribution', 'attribution', noted.id);
  await storeBundle('ancestors', edit.cid);
  await storeBundle('ancestors-version-1', edit.cid, '&proofVersion=1');
  await storeBundle('both', text.cid, '&direction=both');
  await storeBundle('cut', text.cid, '&direction=descendants&limit=1');
  await storeBundle('aliases', whole.cid, '&direction=both');
}

async function storeOfSecondKey({ edit, noted }) {
  await send(`/v1/entity/${encodeURIComponent(BOT)}`, 'PATCH', { name: 'Bot the Second' });
  await untilCosigned();
  await storeReceipt('entity-changed', 'entity', BOT, { isStamped: true });
  for (const id of [ANN, BOT])
    await call(`/v1/entity/${encodeURIComponent(id)}/personal-data`, { method: 'DELETE' });
  const later = await upload('a third text', { entity: { id: ANN, role: 'human' } });
  await untilCosigned();
  await storeReceipt('action-later', 'action', later.actionId);
  await storeReceipt('entity-erased', 'entity', ANN);
  await storeReceipt('action-erased', 'action', edit.actionId);
  await storeReceipt('attribution-erased', 'attribution', noted.id);
  await storeBundle('ancestors-erased', edit.cid);
  await storeBundle('ancestors-erased-version-1', edit.cid, '&proofVersion=1');
}

try {
  await start(seeds[0]);
  const made = await recordFirst();
  await storeOfFirstKey(made);
  await service.stop();
  const nextFile = join(work, 'next');
  writeFileSync(nextFile, `${seeds[1]}\n`, { mode: 0o600 });
  execFileSync(process.execPath, [CLI, 'log', 'rotate-key', '--new-key-file', nextFile], {
    env: { PATH: process.env.PATH, ...environment, SERVER_SIGNING_KEY: seeds[0] },
    cwd: work,
    stdio: 'inherit',
  });
  await start(seeds[1]);
  await storeOfSecondKey(made);
  write('keys.json', await readJson('/v1/log/keys'));
  write('first-key.txt', `${logKeys[0]}\n`);
  const names = ['one', 'two'];
  const lines = witnesses.map(({ key }, at) => `witness ${names[at]} ${key}`);
  write(
    'policy.txt',
    [...logKeys.map((key) => `log ${key}`), ...lines, 'group both all one two', 'quorum both', ''].join('\n'),
  );
  cpSync(authority.rootFile, join(directory, 'authority.pem'));
  write('expected.json', expected);
} finally {
  await service?.stop();
  await Promise.all(witnesses.map(({ stop }) => stop()));
  authority.stop();
  await chain.stop();
  rmSync(work, { recursive: true, force: true });
}
