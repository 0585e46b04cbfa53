import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type LogKey,
  parsePolicy,
  parseTrustedLog,
  type TlogPolicy,
  type TrustedLog,
  verifyByKeys,
  verifyDocument,
  verifyKeyHistory,
  verifyPolicy,
  verifyStatement,
  verifyTimestamp,
  verifyTlogProof,
} from '@colophon/model';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { createVerifyToken, parseCertificates } from '../../src/anchors/timestamps/verify-token.js';
import { HAS_PYTHON_COSE, HAS_PYTHON_CRYPTOGRAPHY, PYTHON } from '../support/programs.js';
import { hashFiles } from './hash-files.js';
import { TOOL, VERIFY_COSE, VERIFY_TLOG_PROOF } from './python-tool.js';

const verify = createVerifySignature();
const CORPORA = fileURLToPath(new URL('corpus/', import.meta.url));
const versions = readdirSync(CORPORA).filter((name) => /^formats-\d+$/.test(name));

/** Results of `hashFiles`. A corpus never changes, so change no line. Add a line for a new corpus. */
const PINNED: Record<string, string> = {
  'formats-1': '072965d106de16e775586129fcf7bce5e9ee591e95c97744d8a8c42a7d55a2f4',
};

interface ReceiptFacts {
  kind: string;
  id: string;
  digest: string;
  leafIndex: number;
  size: number;
  isAnchored: boolean;
  isStamped: boolean;
  cosignatures: number;
}

interface BundleFacts {
  version: number;
  cid: string;
  records: number;
  complete: boolean;
  coveredLeaves: number;
}

it('the repository has the corpus `formats-1`', () => {
  expect(versions).toContain('formats-1');
});

describe.each(versions)('corpus %s', (version) => {
  const directory = path.join(CORPORA, version);
  const place = (name: string) => path.join(directory, name);
  const read = (name: string) => readFileSync(place(name));
  const expected: { receipts: Record<string, ReceiptFacts>; bundles: Record<string, BundleFacts> } =
    JSON.parse(read('expected.json').toString());
  const [receipts, bundles] = [Object.entries(expected.receipts), Object.entries(expected.bundles)];
  const stamped = receipts.filter(([, { isStamped }]) => isStamped);
  const firstKey = read('first-key.txt').toString().trim();
  const history = verifyKeyHistory(read('keys.json'), parseTrustedLog(firstKey) as TrustedLog, verify);
  const keys: readonly LogKey[] = history.verified ? history.keys : [];
  const parsed = parsePolicy(read('policy.txt'));
  const policy = ('policy' in parsed ? parsed.policy : undefined) as TlogPolicy;
  const python = (program: readonly string[], input?: Buffer) => {
    const { status, stdout, stderr } = spawnSync(PYTHON, program, { input, encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  afterEach(() => vi.useRealTimers());

  it('is unchanged, and has all files that its list names, and no others', () => {
    expect(hashFiles(directory)).toBe(PINNED[version]);
    const ofStamps = stamped.map(([name]) => `${name}.json`);
    expect(readdirSync(place('timestamps')).sort()).toEqual(ofStamps.sort());
    const ofReceipts = receipts.flatMap(([name]) =>
      ['cose', 'json', 'tlog-proof'].map((end) => `${name}.${end}`),
    );
    expect(readdirSync(place('receipts')).sort()).toEqual(ofReceipts.sort());
    expect(readdirSync(place('bundles')).sort()).toEqual(bundles.map(([name]) => `${name}.json`).sort());
    expect(new Set(bundles.map(([, facts]) => facts.version))).toEqual(new Set([1, 2]));
    for (const kind of ['entity', 'action', 'attribution'])
      expect(receipts.some(([name, facts]) => facts.kind === kind && name.endsWith('-erased'))).toBe(true);
  });

  it('has a key history that leads from the first key to the second', () => {
    expect(keys.map(({ maxSize }) => maxSize)).toEqual([expect.any(Number), undefined]);
  });

  it.each(stamped)(
    'has a time-stamp of %s that still verifies in 2099',
    async (name, { digest, leafIndex }) => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date('2099-01-01') });
      const verifyToken = createVerifyToken(parseCertificates(read('authority.pem').toString()));
      const document = read(`timestamps/${name}.json`);
      const reports = keys.map((trusted) =>
        verifyTimestamp(document, { digest, trusted, verify, verifyToken }),
      );
      expect(await Promise.all(reports)).toContainEqual(
        expect.objectContaining({ verified: true, digest, leafIndex, time: expect.stringMatching(/^20/) }),
      );
    },
  );

  describe.each(receipts)('the receipt %s', (name, { isAnchored, cosignatures, ...facts }) => {
    const { digest, leafIndex, size } = facts;
    const json = read(`receipts/${name}.json`);
    const checkpoint = String(JSON.parse(json.toString()).log.checkpoint);

    it('verifies in JSON, strictly, with its cosignatures', () => {
      const verifyWith = (one: TrustedLog) => verifyDocument(json, one, verify, { strict: true }).report;
      const { report } = verifyByKeys(keys, verifyWith);
      const { kind } = facts;
      expect(report).toMatchObject({ verified: true, warnings: [], kind, digest, leafIndex, size });
      expect('anchor' in report && report.anchor !== null).toBe(isAnchored);
      const witnessed = verifyPolicy(checkpoint, policy, verify);
      expect(witnessed).toMatchObject({ verified: true, cosigned: { length: cosignatures } });
    });

    it('verifies in COSE and as tlog-proof', () => {
      const statement = verifyByKeys(keys, (one) =>
        verifyStatement(read(`receipts/${name}.cose`), one, verify),
      );
      const { kind, id } = facts;
      expect(statement.report).toMatchObject({ verified: true, kind, id, digest });
      const proof = read(`receipts/${name}.tlog-proof`).toString();
      const { report } = verifyByKeys(keys, (trusted) => verifyTlogProof(proof, { digest, trusted, verify }));
      expect(report).toMatchObject({ verified: true, leafIndex });
      expect('checkpoint' in report && verifyPolicy(report.checkpoint, policy, verify).verified).toBe(true);
    });

    it.runIf(HAS_PYTHON_CRYPTOGRAPHY)(
      'verifies in JSON and as tlog-proof with the verifier in Python',
      () => {
        const options = [
          '--key',
          firstKey,
          '--keys',
          place('keys.json'),
          '--policy',
          place('policy.txt'),
          '--strict',
        ];
        const found = python([TOOL, place(`receipts/${name}.json`), ...options]);
        expect([found.status, found.stderr]).toEqual([0, '']);
        expect(JSON.parse(found.stdout)).toMatchObject({ digest, size, witnesses: { verified: true } });
        const proof = read(`receipts/${name}.tlog-proof`);
        const results = keys.map(({ publicKey }) => {
          const key = Buffer.from(publicKey).toString('hex');
          return python(['-c', VERIFY_TLOG_PROOF, path.dirname(TOOL), key, digest.slice(7)], proof).stdout;
        });
        expect(results).toContainEqual(expect.stringMatching(new RegExp(`^${leafIndex} \\d+\n$`)));
      },
    );

    it.runIf(HAS_PYTHON_COSE)('verifies in COSE with cbor2 and cryptography', () => {
      const statement = read(`receipts/${name}.cose`);
      const results = keys.map(({ publicKey, origin = '' }) => {
        const key = Buffer.from(publicKey).toString('hex');
        return python(['-c', VERIFY_COSE, key, origin], statement).stdout;
      });
      expect(results).toContain(`${digest.slice(7)} ${facts.kind}/${facts.id}\n`);
    });
  });

  describe.each(bundles)('the bundle %s', (name, { version: proofVersion, ...facts }) => {
    const document = read(`bundles/${name}.json`);

    it('verifies, strictly', () => {
      const verifyWith = (one: TrustedLog) => verifyDocument(document, one, verify, { strict: true }).report;
      expect(verifyByKeys(keys, verifyWith).report).toMatchObject({ verified: true, warnings: [], ...facts });
      expect(JSON.parse(document.toString()).proof.version ?? 1).toBe(proofVersion);
    });

    it.runIf(HAS_PYTHON_CRYPTOGRAPHY)('verifies with the verifier in Python', () => {
      const options = ['--key', firstKey, '--keys', place('keys.json'), '--strict'];
      const found = python([TOOL, place(`bundles/${name}.json`), ...options]);
      expect([found.status, found.stderr]).toEqual([0, '']);
      expect(JSON.parse(found.stdout)).toMatchObject(facts);
    });
  });
});
