import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import {
  actionKey,
  chainsValue,
  createMap,
  digestRecord,
  emptyChain,
  emptyRoot,
  extendChain,
  formatVerifierKey,
  leafHash,
  mapLeafHash,
  mentionKey,
  nodeHash,
  proveInclusion,
  provenBundleText,
  signCheckpoint,
  statementDigest,
  toBase64,
  toVerifierKey,
  treeRoot,
  walkMap,
} from '../../../../model/dist/index.js';

export const ORIGIN = 'example.org/log/0198c0de-0000-7000-8000-000000000002';

/** Returns a signer. Each of the 32 bytes of its seed is `byte`. */
export function createTestSigner(byte) {
  const seed = Buffer.alloc(32, byte);
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    publicKey,
    publicKeyHex: publicKey.toString('hex'),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('hex'),
  };
}

const signer = createTestSigner(3);
const { keyId: keyid } = toVerifierKey(ORIGIN, signer.publicKey);
export const LOG_KEY = formatVerifierKey(toVerifierKey(ORIGIN, signer.publicKey));

/** Records of a log with their digests, in the order of their leaves. Salts are the same at every run. */
export function toRecords(bodies) {
  let drawn = 0;
  const randomBytes = (count) => new Uint8Array(count).fill(++drawn);
  return bodies.map(([kind, body]) => ({ kind, body, ...digestRecord(kind, body, { randomBytes }) }));
}

/** Returns the map of names and actions for a version of proofs. Its keys are in hexadecimal, its values are chains. */
function mapOf(records, version) {
  const ofName = chainsOfName(version);
  const map = new Map();
  const extend = (key, count, chain, digest) => {
    const hex = Buffer.from(key).toString('hex');
    const chains = map.get(hex) ?? Array.from({ length: count }, emptyChain);
    chains[chain] = extendChain(chains[chain], digest);
    map.set(hex, chains);
  };
  for (const { kind, body, digest } of records) {
    if (kind === 'action') {
      for (const name of body.inputCids) extend(mentionKey(name), ofName, 1, digest);
      for (const name of body.outputCids) extend(mentionKey(name), ofName, 0, digest);
    }
    if (kind === 'attribution' && version === 2) {
      if (body.resourceCid !== undefined) extend(mentionKey(body.resourceCid), ofName, 2, digest);
      if (body.actionId !== undefined) extend(actionKey(body.actionId), 1, 0, digest);
    }
  }
  return map;
}

const chainsOfName = (version) => (version === 1 ? 2 : 3);
const toWire = ({ count, head }) => ({ count, head: toBase64(head) });

/**
 * Returns the root of a map, and a function that returns the proof of a key. A proof has the chains of the key and the
 * path to its leaf. If the map lacks the key, the chains are empty, and the path leads to another leaf (`other`).
 */
function createProver(map) {
  const entries = [...map]
    .map(([hex, chains]) => {
      const [key, value] = [Buffer.from(hex, 'hex'), chainsValue(chains)];
      return { key, value, chains, hash: mapLeafHash(key, value) };
    })
    .sort((a, b) => Buffer.compare(a.key, b.key));
  const tree = createMap(entries);
  const prove = (key, count) => {
    const { place, path } = tree === undefined ? { path: [] } : walkMap(tree, key);
    const found = entries[place];
    const isOwn = found !== undefined && Buffer.compare(found.key, key) === 0;
    const chains = isOwn ? found.chains : Array.from({ length: count }, emptyChain);
    const other =
      found === undefined || isOwn
        ? {}
        : { other: { key: toBase64(found.key), value: toBase64(found.value) } };
    return {
      chains: chains.map(toWire),
      path: path.map(({ bit, hash }) => ({ bit, hash: toBase64(hash) })),
      ...other,
    };
  };
  return { prove, root: tree?.hash ?? emptyRoot() };
}

/** Returns a reader that computes the hashes of subtrees from the leaf hashes. */
export function readFrom(leaves) {
  const hashOf = (level, index) =>
    level === 0 ? leaves[index] : nodeHash(hashOf(level - 1, 2 * index), hashOf(level - 1, 2 * index + 1));
  return async (subtrees) => subtrees.map(({ level, index }) => hashOf(level, index));
}

/** Signs a bundle again, as the owner of the log's key can. */
export function signAgain(bundle) {
  bundle.proof.signatures = [];
  const sig = toBase64(Buffer.from(signer.sign(provenBundleText(bundle)), 'hex'));
  bundle.proof.signatures = [{ keyid, sig }];
  return bundle;
}

/**
 * A receipt of this record in a log without other leaves. The digest is always the correct digest of the given record.
 * Throws for a record that cannot have a digest.
 */
export function makeReceipt({ kind, body, salts }) {
  const { digest } = digestRecord(kind, body, { salts });
  const leaf = leafHash(digest);
  const checkpoint = signCheckpoint({ origin: ORIGIN, size: 1, root: leaf }, signer);
  return {
    ...{ version: 1, record: { kind, digest, body, salts } },
    log: { origin: ORIGIN, leafIndex: 0, leafHash: toBase64(leaf), inclusionPath: [], checkpoint },
  };
}

/**
 * A proven bundle, of version 2 unless `version` is 1. `covered`: the statement covers this many records, counted from
 * the first one. The leaf of the statement comes after these records. `shown`: records in the bundle. `counted`:
 * records in the map, in this order. An honest log has all records in the bundle and in the map.
 */
export async function makeBundle({
  records,
  covered = records.length,
  shown = () => true,
  counted = (some) => some,
  ...history
}) {
  const { cid, direction = 'ancestors', aliases, complete = true, version = 2 } = history;
  const placed = records.map((one, place) => ({ ...one, leafIndex: place < covered ? place : place + 1 }));
  const map = mapOf(counted(placed.slice(0, covered)), version);
  const { prove, root } = createProver(map);
  const statement = { version, kind: 'mentions', leaves: covered, names: map.size, root: toBase64(root) };
  const leaves = placed.map(({ digest }) => leafHash(digest));
  leaves.splice(covered, 0, leafHash(statementDigest(statement)));
  const size = leaves.length;
  const include = async (leafIndex) => ({
    leafIndex,
    inclusionPath: (await proveInclusion({ leafIndex, size }, readFrom(leaves))).map(toBase64),
  });
  const visible = placed.filter(shown);
  const list = (kind) =>
    visible
      .filter((one) => one.kind === kind)
      .map(({ body, digest }) => (kind === 'action' ? { ...body, digest } : { ...body }));
  const actions = list('action');
  const names = [cid, ...Object.entries(aliases ?? {}).flat(), ...actions.flatMap(namesOf)];
  const byName = [...new Set(names)].map((name) => {
    const { chains, ...place } = prove(mentionKey(name), chainsOfName(version));
    const [made, used, attributed] = chains;
    return [name, { made, used, ...(version === 1 ? {} : { attributed }), ...place }];
  });
  const byAction = actions.map(({ id }) => {
    const { chains, ...place } = prove(actionKey(id), 1);
    return [id, { attributed: chains[0], ...place }];
  });
  return signAgain({
    ...{ cid, entities: list('entity'), actions, attributions: list('attribution') },
    ...(aliases === undefined ? {} : { aliases }),
    complete,
    proof: {
      ...{ version, direction, origin: ORIGIN },
      checkpoint: signCheckpoint(
        { origin: ORIGIN, size, root: await treeRoot(size, readFrom(leaves)) },
        signer,
      ),
      records: await Promise.all(
        visible.map(async ({ kind, body, digest, salts, leafIndex }) => ({
          ...{ kind, id: body.id, digest, salts },
          ...(await include(leafIndex)),
        })),
      ),
      mentions: {
        statement,
        ...(await include(covered)),
        byName: Object.fromEntries(byName),
        ...(version === 1 ? {} : { byAction: Object.fromEntries(byAction) }),
      },
    },
  });
}

const namesOf = ({ inputCids, outputCids }) => [...inputCids, ...outputCids];
