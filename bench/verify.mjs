// Measures how many receipts, in each of their formats, and how many inclusion proofs a verifier checks per second.
import { createHash } from 'node:crypto';
import {
  digestRecord,
  leafHash,
  nodeHash,
  parseCheckpoint,
  proveInclusion,
  signCheckpoint,
  toBase64,
  toTlogProof,
  toTransparentStatement,
  toVerifierKey,
  treeRoot,
  verifyEd25519,
  verifyInclusion,
  verifyReceipt,
  verifyStatement,
  verifyTlogProof,
} from '../packages/model/dist/index.js';
import { createSigner, createVerifySignature } from '../packages/server/dist/access/ed25519.js';
import { medianOf } from './support/statistics.mjs';

const LEAVES = 2 ** 14;
const ROUNDS = 5;
const ROUND_MS = 1_000;
const ORIGIN = 'example.org/log/1';
const createSha256 = () => createHash('sha256');

export async function run(report) {
  report.section(`verify: receipts of a log of ${LEAVES} leaves`);
  const { receipt, trusted, signer } = await makeReceipt();
  const keyId = Buffer.from(toVerifierKey(ORIGIN, trusted.publicKey).keyId, 'hex');
  const statement = toTransparentStatement(receipt, { keyId, signBytes: (bytes) => signer.signBytes(bytes) });
  const tlogProof = toTlogProof(receipt);
  const { digest } = receipt.record;
  const { root, size } = parseCheckpoint(receipt.log.checkpoint);
  const [leaf, ...path] = [receipt.log.leafHash, ...receipt.log.inclusionPath].map((hash) =>
    Buffer.from(hash, 'base64'),
  );
  const inclusion = { leafIndex: receipt.log.leafIndex, leafHash: leaf, path };
  const verifyNative = createVerifySignature();
  const cases = {
    'a receipt, Ed25519 of node:crypto': () => verifyReceipt(receipt, trusted, verifyNative).verified,
    'a receipt, Ed25519 of @noble/curves, as in browsers': () =>
      verifyReceipt(receipt, trusted, verifyEd25519).verified,
    'a receipt as COSE statement (two signatures), Ed25519 of node:crypto': () =>
      verifyStatement(statement, trusted, verifyNative).verified,
    'a receipt as tlog-proof, Ed25519 of node:crypto': () =>
      verifyTlogProof(tlogProof, { digest, trusted, verify: verifyNative }).verified,
    'an inclusion proof alone': () => verifyInclusion(inclusion, { root, size }),
  };
  const rates = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, verify] of Object.entries(cases)) rates[name].push(rateOf(verify));
  for (const [name, all] of Object.entries(rates))
    report.note(`${name}: ${Math.round(medianOf(all))} a second`);
}

function rateOf(verify) {
  const startMs = performance.now();
  let count = 0;
  for (; performance.now() - startMs < ROUND_MS; count++)
    if (!verify()) throw new Error('A receipt or proof does not verify');
  return (count / (performance.now() - startMs)) * 1000;
}

async function makeReceipt() {
  const body = {
    id: 'a1',
    type: 'create',
    performedBy: 'ann',
    inputCids: [],
    outputCids: ['b'],
    extensions: {},
  };
  const { digest, salts } = digestRecord('action', body);
  const leaves = Array.from({ length: LEAVES }, (_, index) =>
    leafHash(index === 5 ? digest : `sha256:${index.toString(16).padStart(64, '0')}`, createSha256),
  );
  const levels = [leaves];
  while (levels.at(-1).length > 1) {
    const below = levels.at(-1);
    levels.push(
      below.filter((_, n) => n % 2 === 0).map((left, n) => nodeHash(left, below[2 * n + 1], createSha256)),
    );
  }
  const readHashes = async (asked) => asked.map(({ level, index }) => levels[level][index]);
  const signer = createSigner('07'.repeat(32));
  const root = await treeRoot(LEAVES, readHashes);
  const path = await proveInclusion({ leafIndex: 5, size: LEAVES }, readHashes);
  const log = {
    origin: ORIGIN,
    leafIndex: 5,
    leafHash: toBase64(leaves[5]),
    inclusionPath: path.map(toBase64),
    checkpoint: signCheckpoint({ origin: ORIGIN, size: LEAVES, root }, signer),
  };
  const receipt = { version: 1, record: { kind: 'action', digest, body, salts }, log };
  return { receipt, signer, trusted: { origin: ORIGIN, publicKey: Buffer.from(signer.publicKeyHex, 'hex') } };
}
