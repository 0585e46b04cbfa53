import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { encode } from 'cborg';
import { beforeAll, describe, expect, it } from 'vitest';
import { toBase64 } from '../../src/base64.js';
import { signCheckpoint } from '../../src/log/checkpoint.js';
import { type CborValue, COSE, encodeCbor, signCose } from '../../src/log/cose.js';
import { parseCbor, parseCoseSign1 } from '../../src/log/parse-cose.js';
import type { Receipt } from '../../src/log/receipt.js';
import { toTlogProof, toTransparentStatement } from '../../src/log/receipt-formats.js';
import { leafHash, nodeHash } from '../../src/log/tree-hash.js';
import { proveInclusion, type ReadHashes, treeRoot } from '../../src/log/tree-proofs.js';
import { toVerifierKey } from '../../src/log/verifier-key.js';
import { type StatementReport, verifyStatement } from '../../src/log/verify-statement.js';
import { verifyTlogProof } from '../../src/log/verify-tlog-proof.js';
import { digestRecord } from '../../src/record-digest.js';
import { createTestSigner, verifyEd25519 } from './support/keys.js';

const ORIGIN = 'example.org/log/1';
const SIZE = 7;
const LEAF = 4;
const signer = createTestSigner(1);
const stranger = createTestSigner(2);
const trusted = { origin: ORIGIN, publicKey: signer.publicKey };
const toByteSigner = ({ publicKey, signBytes }: typeof signer, origin = ORIGIN) => ({
  keyId: hexToBytes(toVerifierKey(origin, publicKey).keyId),
  signBytes,
});

let receipt: Receipt;
let statement: Uint8Array;
let proof: string;
let digest: string;

beforeAll(async () => {
  const body = { id: 'ann', role: 'human', name: 'Ann' };
  const salted = digestRecord('entity', body, { salts: { '/name': toBase64(new Uint8Array(16)) } });
  ({ digest } = salted);
  const leaves = Array.from({ length: SIZE }, (_, place) =>
    leafHash(place === LEAF ? digest : `sha256:${`0${place}`.repeat(32)}`),
  );
  const hashOf = (level: number, index: number): Uint8Array =>
    level === 0
      ? (leaves[index] ?? new Uint8Array())
      : nodeHash(hashOf(level - 1, 2 * index), hashOf(level - 1, 2 * index + 1));
  const read: ReadHashes = async (all) => all.map(({ level, index }) => hashOf(level, index));
  const path = await proveInclusion({ leafIndex: LEAF, size: SIZE }, read);
  const checkpoint = signCheckpoint({ origin: ORIGIN, size: SIZE, root: await treeRoot(SIZE, read) }, signer);
  receipt = {
    version: 1,
    record: { kind: 'entity', digest, body, salts: salted.salts },
    log: {
      origin: ORIGIN,
      leafIndex: LEAF,
      leafHash: toBase64(leafHash(digest)),
      inclusionPath: path.map(toBase64),
      checkpoint,
    },
  };
  statement = toTransparentStatement(receipt, toByteSigner(signer));
  proof = toTlogProof(receipt);
});

const check = (bytes: Uint8Array, key: { origin?: string; publicKey: Uint8Array } = trusted) =>
  verifyStatement(bytes, key, verifyEd25519);

describe('a transparent statement', () => {
  const sound = (): StatementReport => ({
    verified: true,
    kind: 'entity',
    id: 'ann',
    digest,
    origin: ORIGIN,
  });

  it('verifies with the key of its log', () => {
    expect(check(statement)).toEqual(sound());
    expect(check(statement, { publicKey: signer.publicKey })).toEqual(sound());
  });

  it('gives the same report or does not verify when any bit changes', () => {
    const accepted: number[] = [];
    for (let bit = 0; bit < statement.length * 8; bit++) {
      const forged = statement.slice();
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const report = check(forged);
      if (!report.verified) continue;
      accepted.push(bit);
      expect(report, `bit ${bit}`).toEqual(sound());
    }
    // The signature covers the root of the log, but not the index or the size. Several pairs of index and size can fit.
    expect(accepted.length).toBeLessThan(8);
  });

  it('does not verify when bytes are missing or added at its end', () => {
    for (let length = 0; length < statement.length; length++)
      expect(check(statement.subarray(0, length))).toEqual({ verified: false, code: 'malformed' });
    expect(check(Uint8Array.of(...statement, 0))).toEqual({ verified: false, code: 'malformed' });
  });

  const codeOf = (bytes: Uint8Array, key?: { origin?: string; publicKey: Uint8Array }) => {
    const report = check(bytes, key);
    return report.verified ? 'verified' : report.code;
  };

  it('does not verify with another origin, key, signature, index or path, and names the reason', () => {
    const by = (changed: Partial<Receipt['log']>, one = toByteSigner(signer)) =>
      toTransparentStatement({ ...receipt, log: { ...receipt.log, ...changed } }, one);
    expect(codeOf(statement, { ...trusted, origin: 'example.org/log/2' })).toBe('otherOrigin');
    expect(codeOf(statement, { publicKey: stranger.publicKey })).toBe('untrustedKey');
    expect(codeOf(by({}, { ...toByteSigner(stranger), keyId: toByteSigner(signer).keyId }))).toBe(
      'badSignature',
    );
    expect(codeOf(by({ leafIndex: LEAF + 1 }))).toBe('notIncluded');
    expect(codeOf(by({ inclusionPath: receipt.log.inclusionPath.slice(1) }))).toBe('notIncluded');
    expect(codeOf(by({ origin: 'a b' }), { publicKey: signer.publicKey })).toBe('untrustedKey');
  });

  function resign(
    change: (header: Map<number, CborValue>, unprotected: Map<number, CborValue>) => void,
    text?: string,
  ) {
    const parsed = parseCoseSign1(statement);
    const protectedHeader = new Map(parsed?.protectedHeader) as Map<number, CborValue>;
    const unprotectedHeader = new Map(parsed?.unprotectedHeader) as Map<number, CborValue>;
    change(protectedHeader, unprotectedHeader);
    const payload = text === undefined ? (parsed?.payload ?? new Uint8Array()) : utf8ToBytes(text);
    return signCose({ protectedHeader, unprotectedHeader, payload, isDetached: false }, toByteSigner(signer));
  }

  it('does not verify with wrong contents, even when the log itself signed them', () => {
    expect(codeOf(resign(() => undefined))).toBe('verified');
    const claims = (sub: string) =>
      new Map<number, CborValue>([
        [1, ORIGIN],
        [2, sub],
      ] as const);
    expect(codeOf(resign((header) => header.set(COSE.cwtClaims, claims('action/ann'))))).toBe('otherKind');
    expect(codeOf(resign((header) => header.set(COSE.cwtClaims, claims('entity/bob'))))).toBe('otherKind');
    expect(codeOf(resign((header) => header.delete(COSE.cwtClaims)))).toBe('malformed');
    expect(codeOf(resign((header) => header.set(COSE.alg, -7)))).toBe('unsupportedAlgorithm');
    expect(codeOf(resign((header) => header.set(2, [COSE.receipts])))).toBe('malformed');
    expect(codeOf(resign((_, open) => open.delete(COSE.receipts)))).toBe('malformed');
    expect(codeOf(resign((_, open) => open.set(COSE.receipts, [])))).toBe('malformed');
    expect(codeOf(resign((_, open) => open.set(COSE.alg, -8)))).toBe('malformed');
    const nested = resign((_, open) =>
      open.set(COSE.receipts, [resign((header) => header.set(COSE.vds, 1))]),
    );
    expect(codeOf(nested)).toBe('notIncluded');
    const withoutStructure = resign((_, open) => open.set(COSE.receipts, [resign(() => undefined)]));
    expect(codeOf(withoutStructure)).toBe('unsupportedAlgorithm');
    expect(codeOf(resign((header) => header.set(COSE.contentType, 'application/json')))).toBe('malformed');
    expect(codeOf(resign((header) => header.delete(COSE.contentType)))).toBe('malformed');
  });

  /** The digest of the text is the only leaf of the log. */
  function stateText(text: string, subject = 'entity/ann') {
    const leaf = leafHash(`sha256:${bytesToHex(sha256(utf8ToBytes(text)))}`);
    const checkpoint = signCheckpoint({ origin: ORIGIN, size: 1, root: leaf }, signer);
    const log = { ...receipt.log, leafIndex: 0, inclusionPath: [], checkpoint };
    const own = parseCoseSign1(toTransparentStatement({ ...receipt, log }, toByteSigner(signer)));
    const claims = new Map<number, CborValue>([
      [1, ORIGIN],
      [2, subject],
    ]);
    return resign((header, open) => {
      header.set(COSE.cwtClaims, claims);
      open.set(COSE.receipts, own?.unprotectedHeader.get(COSE.receipts) as CborValue);
    }, text);
  }

  it.each([
    ['a name in clear text', '{"id":"ann","name":"Ann","role":"human"}'],
    ['a time that the digest does not cover', '{"id":"ann","recordedAt":"2026-01-01","role":"human"}'],
    ['an anchor that the digest does not cover', '{"id":"ann","onchain":{},"role":"human"}'],
    ['a digest', '{"digest":"sha256:00","id":"ann","role":"human"}'],
    ['locations', '{"id":"ann","locations":[],"role":"human"}'],
    ['another number text', '{"id":"ann","role":"human","x":1.0}'],
    ['members in another order', '{"role":"human","id":"ann"}'],
    ['a space', '{"id":"ann", "role":"human"}'],
    ['a member twice', '{"id":"ann","id":"ann","role":"human"}'],
    ['a byte order mark', '\ufeff{"id":"ann","role":"human"}'],
  ])('is malformed with %s in its payload, although the log has this leaf', (_, text) => {
    expect(codeOf(stateText('{"id":"ann","role":"human","x":1}'))).toBe('verified');
    expect(codeOf(stateText(text))).toBe('malformed');
  });

  it('has at most 100 receipts, and verifies if any one of them verifies', () => {
    const receiptsOf = (bytes: Uint8Array) =>
      parseCoseSign1(bytes)?.unprotectedHeader.get(COSE.receipts) as Uint8Array[];
    const [own] = receiptsOf(statement) as [Uint8Array];
    const elsewhere = { ...receipt, log: { ...receipt.log, origin: 'example.org/log/2' } };
    const [foreign] = receiptsOf(toTransparentStatement(elsewhere, toByteSigner(stranger))) as [Uint8Array];
    const [forged] = receiptsOf(
      toTransparentStatement(receipt, { ...toByteSigner(stranger), keyId: toByteSigner(signer).keyId }),
    ) as [Uint8Array];
    const unknown = Uint8Array.of(...own.subarray(0, -1));
    const otherTree = resign((header) => header.set(COSE.vds, 2));
    const by = (...receipts: CborValue[]) => codeOf(resign((_, open) => open.set(COSE.receipts, receipts)));
    for (const other of [foreign, forged, unknown, otherTree, 7]) {
      expect(by(other, own)).toBe('verified');
      expect(by(own, other)).toBe('verified');
    }
    expect(by(foreign)).toBe('otherOrigin');
    expect(by(foreign, forged)).toBe('notIncluded');
    expect(by(otherTree, foreign)).toBe('otherOrigin');
    expect(by(unknown, otherTree)).toBe('unsupportedAlgorithm');
    expect(by(unknown, 7)).toBe('malformed');
    expect(by(...Array.from({ length: 100 }, () => own))).toBe('verified');
    expect(by(...Array.from({ length: 101 }, () => own))).toBe('malformed');
  });
});

describe('the CBOR parser', () => {
  it.each([0, 23, 24, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, -1, -24, -25, -257])(
    'reads %d as a library writes it',
    (number) => {
      expect(parseCbor(encode(number))).toBe(number);
      expect(parseCbor(encodeCbor(number))).toBe(number);
    },
  );

  it.each([
    ['an empty input', ''],
    ['an argument that is too long', '1817'],
    ['a length that is too long', '5800'],
    ['an indefinite length', '5f4101ff'],
    ['a reserved argument', '1c'],
    ['a float', 'f93c00'],
    ['a tag', 'c100'],
    ['a boolean', 'f5'],
    ['an integer beyond the safe range', '1b0020000000000000'],
    ['text that is not UTF-8', '61ff'],
    ['a repeated key', 'a201000100'],
    ['a key that is an array', 'a18000'],
    ['an array without its last item', '8201'],
    ['a huge array', '9b001fffffffffffff'],
    ['a string that is cut', '4401'],
    ['two items', '0000'],
    ['17 levels', `${'81'.repeat(16)}80`],
  ])('refuses %s', (_, hex) => {
    expect(parseCbor(hexToBytes(hex))).toBe(undefined);
  });

  it('reads 16 levels, text, bytes, null and maps', () => {
    expect(parseCbor(hexToBytes(`${'81'.repeat(15)}80`))).toBeDefined();
    const value = new Map<number | string, CborValue>([
      [1, null],
      ['ü', [Uint8Array.of(1), -3]],
    ]);
    expect(parseCbor(encodeCbor(value))).toEqual(value);
  });
});

describe('a C2SP tlog-proof', () => {
  const verify = (text: string, more: { digest?: string; key?: typeof trusted } = {}) =>
    verifyTlogProof(text, {
      digest: more.digest ?? digest,
      trusted: more.key ?? trusted,
      verify: verifyEd25519,
    });

  it('verifies with the digest of its record and the key of its log', () => {
    const { checkpoint } = receipt.log;
    const sound = { verified: true, digest, origin: ORIGIN, leafIndex: LEAF, size: SIZE, checkpoint };
    expect(verify(proof)).toEqual(sound);
    expect(verify(proof.replace('\nindex', '\nextra AAAA\nindex'))).toEqual(sound);
  });

  it.each<[string, (text: string) => string, string]>([
    ['another version', (text) => text.replace('@v1', '@v2'), 'malformed'],
    ['no index', (text) => text.replace(/index \d+\n/, ''), 'malformed'],
    ['an index with a leading zero', (text) => text.replace('index ', 'index 0'), 'malformed'],
    ['an extra line that is not base64', (text) => text.replace('\nindex', '\nextra ?\nindex'), 'malformed'],
    ['a hash of 31 bytes', (text) => text.replace(/(index \d+\n).*/, `$1${'A'.repeat(41)}=`), 'malformed'],
    ['another index', (text) => text.replace(`index ${LEAF}`, 'index 3'), 'notIncluded'],
    ['an index beyond the tree', (text) => text.replace(`index ${LEAF}`, `index ${SIZE}`), 'leafOutsideTree'],
    ['a shorter path', (text) => text.replace(/(index \d+\n).*\n/, '$1'), 'notIncluded'],
    ['another size', (text) => text.replace(`\n${SIZE}\n`, '\n8\n'), 'badSignature'],
    ['no checkpoint', (text) => text.slice(0, text.indexOf('\n\n') + 2), 'malformedCheckpoint'],
    ['no empty line', (text) => text.replaceAll('\n\n', '\n'), 'malformed'],
  ])('with %s does not verify', (_, change, code) => {
    expect(change(proof)).not.toBe(proof);
    expect(verify(change(proof))).toEqual({ verified: false, code });
  });

  it('does not verify for another record, key or log', () => {
    expect(verify(proof, { digest: `sha256:${'00'.repeat(32)}` })).toEqual({
      verified: false,
      code: 'notIncluded',
    });
    expect(verify(proof, { digest: digest.toUpperCase() })).toEqual({ verified: false, code: 'malformed' });
    const otherKey = { ...trusted, publicKey: stranger.publicKey };
    expect(verify(proof, { key: otherKey })).toEqual({ verified: false, code: 'untrustedKey' });
    const otherLog = { ...trusted, origin: 'example.org/log/2' };
    expect(verify(proof, { key: otherLog })).toEqual({ verified: false, code: 'otherOrigin' });
  });
});
