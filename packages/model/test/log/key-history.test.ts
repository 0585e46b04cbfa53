import { beforeAll, describe, expect, it } from 'vitest';
import { toBase64 } from '../../src/base64.js';
import { signCheckpoint } from '../../src/log/checkpoint.js';
import { handoverDigest, handoverText, type KeyHistory } from '../../src/log/key-history.js';
import { leafHash } from '../../src/log/tree-hash.js';
import { proveInclusion, treeRoot } from '../../src/log/tree-proofs.js';
import { formatVerifierKey, toVerifierKey } from '../../src/log/verifier-key.js';
import { verifyByKeys } from '../../src/log/verify-by-keys.js';
import { type KeyHistoryReport, verifyKeyHistory } from '../../src/log/verify-key-history.js';
import { createTestSigner, verifyEd25519 } from './support/keys.js';
import { makeLeaves, readHashesOf } from './support/small-tree.js';

const ORIGIN = 'example.org/log';
const SIZE = 9;
const [A, B, C] = [1, 2, 3].map(createTestSigner) as [TestSigner, TestSigner, TestSigner];
type TestSigner = ReturnType<typeof createTestSigner>;
type Handover = KeyHistory['handovers'][number];
const LEAVES = [3, 7] as const;

const trust = (signer: TestSigner) => ({ origin: ORIGIN, publicKey: signer.publicKey });

function signHandover(from: TestSigner, to: TestSigner): Pick<Handover, 'statement' | 'signatures'> {
  const statement = {
    ...({ version: 1, kind: 'handover' } as const),
    from: toBase64(from.publicKey),
    to: toBase64(to.publicKey),
  };
  const message = Buffer.from(handoverText(statement));
  const signatures = { from: toBase64(from.signBytes(message)), to: toBase64(to.signBytes(message)) };
  return { statement, signatures };
}

async function makeHistory(
  places: readonly [number, number] = LEAVES,
  present = C,
  size = SIZE,
): Promise<KeyHistory> {
  const signed = [signHandover(A, B), signHandover(B, C)];
  const leaves = makeLeaves(size);
  for (const [place, { statement }] of signed.entries())
    leaves[places[place] ?? 0] = leafHash(handoverDigest(statement));
  const read = readHashesOf(leaves.slice(0, size));
  const handovers = signed.map(async (one, place) => {
    const leafIndex = places[place] ?? 0;
    const path = leafIndex < size ? await proveInclusion({ leafIndex, size }, read) : [];
    return { ...one, leafIndex, inclusionPath: path.map(toBase64) };
  });
  return {
    version: 1,
    origin: ORIGIN,
    keys: [A, B, C].map(({ publicKey, publicKeyHex }) => ({
      verifierKey: formatVerifierKey(toVerifierKey(ORIGIN, publicKey)),
      publicKey: publicKeyHex,
    })),
    handovers: await Promise.all(handovers),
    checkpoint: signCheckpoint({ origin: ORIGIN, size, root: await treeRoot(size, read) }, present),
  };
}

let history: KeyHistory;
beforeAll(async () => {
  history = await makeHistory();
});

const check = (value: unknown, trusted: ReturnType<typeof trust> | { publicKey: Uint8Array } = trust(A)) =>
  verifyKeyHistory(typeof value === 'string' ? value : JSON.stringify(value), trusted, verifyEd25519);
const refused = (code: string) => ({ verified: false, code });
const changed = (change: (handovers: [Handover, Handover], document: KeyHistory) => void): KeyHistory => {
  const copy = structuredClone(history);
  change(copy.handovers as [Handover, Handover], copy);
  return copy;
};

const inHex = (report: KeyHistoryReport) =>
  report.verified && {
    ...report,
    keys: report.keys.map((key) => ({ ...key, publicKey: Buffer.from(key.publicKey).toString('hex') })),
  };

describe('verifyKeyHistory', () => {
  it('returns the keys from the trusted to the present one, with the maximum tree size of retired keys', () => {
    const origin = ORIGIN;
    const all = [
      { origin, publicKey: A.publicKey, maxSize: LEAVES[0] },
      { origin, publicKey: B.publicKey, maxSize: LEAVES[1] },
      { origin, publicKey: C.publicKey },
    ];
    for (const [skipped, signer] of [A, B, C].entries())
      expect(inHex(check(history, trust(signer))), `from ${skipped}`).toEqual(
        inHex({ verified: true, origin, size: SIZE, keys: all.slice(skipped) }),
      );
    expect(check(history, { publicKey: A.publicKey })).toMatchObject({ verified: true });
  });

  it('refuses a hand-over that one of the two keys did not sign', () => {
    for (const side of ['from', 'to'] as const) {
      const forged = changed(([first]) => {
        first.signatures[side] = toBase64(C.signBytes(Buffer.from(handoverText(first.statement))));
      });
      expect(check(forged)).toEqual(refused('badHandover'));
      // The chain from a later key does not contain this hand-over.
      expect(check(forged, trust(B))).toMatchObject({ verified: true });
    }
  });

  it('refuses a chain in which a former key returns', () => {
    const returned = changed((handovers) => Object.assign(handovers[1], signHandover(B, A)));
    expect(check(returned)).toEqual(refused('badHandover'));
  });

  it('refuses a chain that does not lead to the key of the checkpoint', async () => {
    const missing = changed((_, document) => {
      document.handovers.shift();
    });
    expect(check(missing)).toEqual(refused('untrustedKey'));
    expect(check(await makeHistory(LEAVES, B))).toEqual(refused('untrustedKey'));
    expect(check(history, trust(createTestSigner(9)))).toEqual(refused('untrustedKey'));
    expect(check(changed((handovers) => handovers.reverse()))).toEqual(refused('untrustedKey'));
  });

  it('refuses hand-overs that are not leaves of the log, or not in order', async () => {
    const moved = changed(([first]) => {
      first.leafIndex = 2;
    });
    expect(check(moved)).toEqual(refused('notIncluded'));
    expect(check(changed(([first]) => first.inclusionPath.pop()))).toEqual(refused('notIncluded'));
    expect(check(await makeHistory([7, 3]))).toEqual(refused('wrongOrder'));
    expect(check(await makeHistory([3, 8], C, 8))).toEqual(refused('leafOutsideTree'));
  });

  it('refuses another log, a wrong signature and malformed documents', () => {
    expect(check(history, { ...trust(A), origin: 'example.org/other' })).toEqual(refused('otherOrigin'));
    const other = changed((_, document) => {
      document.origin = 'example.org/other';
    });
    expect(check(other, { publicKey: A.publicKey })).toEqual(refused('otherOrigin'));
    const resized = { ...history, checkpoint: history.checkpoint.replace('\n9\n', '\n8\n') };
    expect(check(resized)).toEqual(refused('badSignature'));
    expect(check({ ...history, checkpoint: 'words' })).toEqual(refused('malformedCheckpoint'));
    expect(check({ ...history, more: 1 })).toEqual(refused('malformed'));
    const short = changed(([first]) => {
      first.statement.to = toBase64(new Uint8Array(31));
    });
    expect(check(short)).toEqual(refused('malformed'));
    expect(check({ ...history, version: 2 })).toEqual(refused('unsupportedVersion'));
    expect(check('{"version":1,"version":1}')).toEqual(refused('duplicateMember'));
    expect(check('[')).toEqual(refused('malformed'));
  });
});

describe('verifyByKeys', () => {
  const keys = [
    { publicKey: A.publicKey, maxSize: 4 },
    { publicKey: B.publicKey, maxSize: 7 },
    { publicKey: C.publicKey },
  ];
  const signedBy = (signer: TestSigner, size: number) =>
    verifyByKeys(keys, ({ publicKey }) =>
      publicKey === signer.publicKey
        ? { verified: true as const, size }
        : { verified: false as const, code: 'untrustedKey' },
    );

  it('accepts the key that signed, and refuses a retired key on a tree that contains its hand-over', () => {
    expect(signedBy(A, 4)).toEqual({ report: { verified: true, size: 4 }, key: 0 });
    expect(signedBy(C, 900)).toMatchObject({ report: { verified: true }, key: 2 });
    expect(signedBy(B, 8)).toEqual({ report: { verified: false, code: 'retiredKey' }, key: 1 });
    expect(signedBy(createTestSigner(9), 4)).toMatchObject({ report: { code: 'untrustedKey' }, key: 0 });
  });

  it('reports the fault under the key that signed, and throws RangeError without keys', () => {
    const { report, key } = verifyByKeys(keys, ({ publicKey }) => ({
      verified: false,
      code: publicKey === B.publicKey ? 'notIncluded' : 'untrustedKey',
    }));
    expect([report, key]).toEqual([{ verified: false, code: 'notIncluded' }, 1]);
    expect(() => verifyByKeys([], () => ({ verified: true }))).toThrow(RangeError);
  });
});
