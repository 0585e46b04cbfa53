import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cosign, formatWitnessKey, toWitnessKey } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import keyVectors from '../../../model/test/vectors/log-keys-v1.json' with { type: 'json' };
import bundleVectors from '../../../model/test/vectors/proven-bundles-v2.json' with { type: 'json' };
import vectors from '../../../model/test/vectors/receipts-v1.json' with { type: 'json' };
import stampVectors from '../../../model/test/vectors/timestamps-v1.json' with { type: 'json' };
import { createSigner } from '../../src/access/ed25519.js';
import { COSIGNED_CHECKPOINT, ED25519_KEY, ML_DSA_KEY, OTHER_ML_DSA_KEY } from '../support/ml-dsa-vectors.js';
import { HAS_PYTHON_CRYPTOGRAPHY, PYTHON } from '../support/programs.js';
import { createRandom, mutateText, mutateValue, rewrite } from './mutate-document.js';
import { type Case, type Report, reportByModel, reportByPython, TOOL, toResult } from './python-tool.js';

const CORPUS = fileURLToPath(new URL('corpus/v1/', import.meta.url));
const VECTORS = fileURLToPath(new URL('../../../model/test/vectors/', import.meta.url));
const RUN_VECTORS = fileURLToPath(new URL('run_vectors.py', import.meta.url));
const OF_OTHERS = [
  'c2pa-text-a8.json',
  'content-ids.json',
  'cose-receipts.json',
  'cose-sign1.json',
  'iscc-core-1.3.0.json',
];

const CHANGES = process.env.LONG_TESTS ? 10_000 : 2_500;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'colophon-python-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runPython = (cases: readonly Case[]) => reportByPython(cases, folder).map(toResult);
const runOurs = (one: Case) => toResult(reportByModel(one));

/**
 * The cases must be diverse: at least half of the changed parts are still JSON, a twentieth of the documents verify,
 * and there are `codes` different results.
 */
function expectAgreement(
  cases: readonly Case[],
  { changed, codes }: { changed: (one: Case) => string; codes: number },
): void {
  const isJson = (one: Case) => {
    try {
      return JSON.parse(changed(one)) !== undefined;
    } catch {
      return false;
    }
  };
  const ours = cases.map(runOurs);
  const theirs = runPython(cases);
  const disagreements = cases.flatMap((one, index) =>
    ours[index] === theirs[index] ? [] : [{ ours: ours[index], theirs: theirs[index], ...one }],
  );
  expect(disagreements.slice(0, 3)).toEqual([]);
  expect(cases.filter(isJson).length).toBeGreaterThanOrEqual(CHANGES / 2);
  const accepted = ours.filter((result) => result.startsWith('verified'));
  expect(accepted.length).toBeGreaterThanOrEqual(CHANGES / 20);
  expect(new Set(ours).size).toBeGreaterThanOrEqual(codes);
}

describe.runIf(HAS_PYTHON_CRYPTOGRAPHY)('the verifier in Python', () => {
  it('names the same unproven parts as the verifier of the model', () => {
    const valid = [...vectors.documents, ...bundleVectors.documents].filter(
      ({ result }) => result === 'verified',
    );
    const partsOf = (report: Report) =>
      report.verified ? { unproven: report.unproven, signedOnly: report.signedOnly } : report;
    const ours = valid.map((one) => partsOf(reportByModel(one)));
    expect(reportByPython(valid, folder).map(partsOf)).toEqual(ours);
    const isNamed = ours.map((parts) => 'unproven' in parts && parts.unproven?.includes('attributions'));
    expect(new Set(isNamed)).toEqual(new Set([undefined, true, false]));
    const signedOnly = ours.flatMap((parts) => ('signedOnly' in parts ? (parts.signedOnly ?? []) : []));
    expect(signedOnly).toEqual(expect.arrayContaining(['aliases', 'more', 'recordedAt', 'resources']));
  });

  it.each(readdirSync(VECTORS).filter((file) => !OF_OTHERS.includes(file)))(
    'gives the expected result for each case in %s',
    (file) => {
      const held = path.join(VECTORS, file);
      const printed = execFileSync(PYTHON, [RUN_VECTORS, path.dirname(TOOL), held], { encoding: 'utf8' });
      const members = Object.entries<unknown>(JSON.parse(readFileSync(held, 'utf8')));
      const expected = members.map(([name, cases]) => [
        name,
        { count: Array.isArray(cases) ? cases.length : 1, differing: [] },
      ]);
      expect(JSON.parse(printed)).toEqual(Object.fromEntries(expected));
    },
  );

  it('verifies each receipt and each bundle of the corpus of version 1, strictly', () => {
    const documents = ['receipts', 'bundles'].flatMap((name) =>
      readdirSync(path.join(CORPUS, name)).map((file) => readFileSync(path.join(CORPUS, name, file), 'utf8')),
    );
    const cases = documents.map((text) => ({ text, key: vectors.key, strict: true }));
    expect(runPython(cases)).toEqual(documents.map(() => 'verified'));
  });

  const ofVersion1 = ['receipts', 'receipts', 'receipts', 'bundles'].flatMap((name) =>
    readdirSync(path.join(CORPUS, name)).map((file) => readFileSync(path.join(CORPUS, name, file), 'utf8')),
  );
  const ofVersion2 = bundleVectors.documents
    .filter(({ result }) => result === 'verified')
    .map(({ text }) => text);
  it.each([
    ['version 1', vectors.key, ofVersion1, 15],
    ['proven bundles of version 2', bundleVectors.key, ofVersion2, 10],
  ])(
    `agrees with the model on ${CHANGES} random changes of %s, and both accept at least a twentieth of them`,
    {
      timeout: 300_000,
    },
    (_what, key, documents, codes) => {
      const random = createRandom(20);
      const small = documents.filter((text) => text.length < 14_000);
      const cases = Array.from({ length: CHANGES }, (_, index): Case => {
        const change = index % 10 < 3 ? mutateText : index % 10 === 3 ? rewrite : mutateValue;
        return { text: change(random.pick(small), random), key, strict: index % 2 === 0 };
      });
      expectAgreement(cases, { changed: ({ text }) => text, codes });
    },
  );

  it(`agrees with the model on ${CHANGES} random changes of key histories, and both accept at least a twentieth`, {
    timeout: 300_000,
  }, () => {
    const random = createRandom(21);
    const histories = keyVectors.histories.filter(
      ({ result, text }) => result === 'verified' && text.length < 9_000,
    );
    const cases = Array.from({ length: CHANGES }, (_, index): Case => {
      const change = index % 10 < 3 ? mutateText : index % 10 === 3 ? rewrite : mutateValue;
      const { text: history, key } = random.pick(histories);
      const { text } = random.pick(keyVectors.documents);
      return { text, key, strict: false, keys: change(history, random) };
    });
    expectAgreement(cases, { changed: ({ keys = '' }) => keys, codes: 11 });
  });
});

it.runIf(HAS_PYTHON_CRYPTOGRAPHY)('the verifier in Python prints the report and exits with 0 or 3', () => {
  const file = path.join(CORPUS, 'receipts', 'entity.json');
  const printed = execFileSync(PYTHON, [TOOL, file, '--key', vectors.key], { encoding: 'utf8' });
  expect(JSON.parse(printed)).toMatchObject({ verified: true, kind: 'entity' });
  const other = () => execFileSync(PYTHON, [TOOL, file, '--key', '00'.repeat(32)], { stdio: 'pipe' });
  expect(other).toThrow(expect.objectContaining({ status: 3 }));
});

it.runIf(HAS_PYTHON_CRYPTOGRAPHY)(
  'the verifier in Python checks a quorum of witnesses after the document',
  () => {
    const receipt = JSON.parse(readFileSync(path.join(CORPUS, 'receipts', 'entity.json'), 'utf8'));
    const [text = ''] = String(receipt.log.checkpoint).split('\n\n');
    const signer = createSigner('02'.repeat(32));
    const name = 'witness.example.org/one';
    receipt.log.checkpoint += cosign(`${text}\n`, { name, timeSeconds: 1_764_028_800 }, signer);
    const file = path.join(folder, 'cosigned.json');
    writeFileSync(file, JSON.stringify(receipt));
    const keyOf = (hex: string) => formatWitnessKey(toWitnessKey(name, Buffer.from(hex, 'hex')));
    const [own, other] = [keyOf(signer.publicKeyHex), keyOf(createSigner('03'.repeat(32)).publicKeyHex)];
    const run = (...options: string[]) => {
      const argv = [TOOL, file, '--key', vectors.key, ...options];
      const { status, stdout } = spawnSync(PYTHON, argv, { encoding: 'utf8' });
      return { status, witnesses: stdout === '' ? undefined : JSON.parse(stdout).witnesses };
    };
    expect(run('--witness', own)).toMatchObject({ status: 0, witnesses: { verified: true } });
    expect(run('--witness', own, '--witness', other)).toMatchObject({
      status: 3,
      witnesses: {
        code: 'belowQuorum',
        cosigned: [{ timeSeconds: 1_764_028_800 }],
        missing: [{ reason: 'absent' }],
      },
    });
    expect(run('--witness', own, '--witness', other, '--quorum', '1').status).toBe(0);
    expect(run('--witness', own, '--quorum', '2').status).toBe(2);
    const renamed = formatWitnessKey(toWitnessKey('renamed', Buffer.from(signer.publicKeyHex, 'hex')));
    expect(run('--witness', own, '--witness', renamed).status).toBe(0);
    expect(run('--witness', own, '--witness', renamed, '--quorum', '2').status).toBe(2);
    expect(run('--witness', 'x').status).toBe(2);
    const policy = path.join(folder, 'policy');
    const withPolicy = (...lines: string[]) => {
      writeFileSync(policy, lines.map((line) => `${line}\n`).join(''));
      return run('--policy', policy);
    };
    const lines = [`log ${vectors.key}`, `witness a ${own}`, `witness b ${other}`];
    expect(withPolicy(...lines, 'group one any a b', 'quorum one')).toMatchObject({
      status: 0,
      witnesses: { verified: true, cosigned: [{ timeSeconds: 1_764_028_800 }] },
    });
    expect(withPolicy(...lines, 'group each all a b', 'quorum each')).toMatchObject({
      status: 3,
      witnesses: { verified: false, code: 'belowQuorum' },
    });
    expect(withPolicy(...lines).status).toBe(2);
  },
);

it.runIf(HAS_PYTHON_CRYPTOGRAPHY)(
  'the verifier in Python counts an ML-DSA-44 witness if package cryptography supports it, else reports notChecked',
  () => {
    const receipt = JSON.parse(readFileSync(path.join(CORPUS, 'receipts', 'entity.json'), 'utf8'));
    receipt.log.checkpoint = COSIGNED_CHECKPOINT;
    const file = path.join(folder, 'ml-dsa.json');
    writeFileSync(file, JSON.stringify(receipt));
    const run = (...options: string[]) => {
      const { status, stdout } = spawnSync(PYTHON, [TOOL, file, '--key', vectors.key, ...options], {
        encoding: 'utf8',
      });
      return { status, ...JSON.parse(stdout).witnesses };
    };
    const asks = `import sys; sys.path.insert(0, ${JSON.stringify(path.dirname(TOOL))}); import verify_receipt as t; print(t.has_ml_dsa())`;
    const isSupported = execFileSync(PYTHON, ['-B', '-c', asks], { encoding: 'utf8' }) === 'True\n';
    const name = 'witness.example.org/one';
    const timeSeconds = 1_764_028_800;
    expect(run('--witness', ML_DSA_KEY)).toMatchObject(
      isSupported
        ? { status: 0, verified: true, cosigned: [{ name, timeSeconds }], missing: [] }
        : { status: 3, code: 'belowQuorum', cosigned: [], missing: [{ name, reason: 'notChecked' }] },
    );
    expect(run('--witness', ML_DSA_KEY, '--witness', ED25519_KEY, '--quorum', '1')).toMatchObject({
      status: 0,
      verified: true,
    });
    expect(run('--witness', OTHER_ML_DSA_KEY)).toMatchObject({ status: 3, missing: [{ reason: 'absent' }] });
  },
);

describe.runIf(HAS_PYTHON_CRYPTOGRAPHY)('the time-stamps of the verifier in Python', () => {
  const sound = stampVectors.documents.find(({ name }) => name.startsWith('a certificate below'));

  type Found = [result: string, time: string | null, authority: string | null];
  /** `differing`: index and result of each document with an unexpected result. */
  function runDocuments(documents: readonly object[]): { count: number; differing: [number, Found][] } {
    const file = path.join(folder, 'timestamps-v1.json');
    writeFileSync(file, JSON.stringify({ ...stampVectors, documents }));
    const printed = execFileSync(PYTHON, [RUN_VECTORS, path.dirname(TOOL), file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return JSON.parse(printed).documents;
  }

  it('are rejected as malformed if the length of the algorithm of the imprint is wrong', () => {
    if (sound === undefined) throw new Error('no vector');
    const document = JSON.parse(sound.text);
    const token = Buffer.from(document.token, 'base64');
    const at = token.indexOf('300d060960864801650304020105000420', 'hex');
    expect(at).toBeGreaterThan(0);
    token[at + 1] = 0x0b;
    const changed = { ...sound, text: JSON.stringify({ ...document, token: token.toString('base64') }) };
    const found = runDocuments([changed]).differing.map(([, result]) => result);
    expect(found).toEqual([['malformedToken', null, null]]);
  });

  it('never have another time or authority when a byte of the token is changed', () => {
    if (sound === undefined) throw new Error('no vector');
    const document = JSON.parse(sound.text);
    const token = Buffer.from(document.token, 'base64');
    const documents = Array.from(token, (byte, at) => {
      const bytes = Buffer.from(token);
      bytes[at] = byte ^ (1 << (at % 4));
      return { ...sound, text: JSON.stringify({ ...document, token: bytes.toString('base64') }) };
    });
    const { count, differing } = runDocuments(documents);
    const results = differing.map(([, found]) => found);
    expect(results.filter(([result]) => result === 'verified')).toEqual([]);
    expect(new Set(results.map(([result]) => result))).toEqual(
      new Set(['malformedToken', 'otherImprint', 'badTokenSignature', 'untrustedAuthority']),
    );
    // Some changed bytes do not affect the result, for example in further certificates.
    expect(differing.length).toBeGreaterThan(count / 2);
  });
});
