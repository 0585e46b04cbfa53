import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  cosign,
  formatWitnessKey,
  parseTrustedLog,
  type TrustedLog,
  toWitnessKey,
  verifyDocument,
} from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import bundleVectors from '../../../model/test/vectors/proven-bundles-v2.json' with { type: 'json' };
import vectors from '../../../model/test/vectors/receipts-v1.json' with { type: 'json' };
import witnessVectors from '../../../model/test/vectors/witnesses-v1.json' with { type: 'json' };
import { createSigner, createVerifySignature } from '../../src/access/ed25519.js';
import { HAS_PYTHON_PACKAGES, PYTHON } from '../support/programs.js';
import { createRandom, mutateText, mutateValue, rewrite } from './mutate-document.js';

const TOOL = fileURLToPath(new URL('../../../../tools/verify_receipt.py', import.meta.url));
const CORPUS = fileURLToPath(new URL('corpus/v1/', import.meta.url));
const verify = createVerifySignature();

const RUN_PRIMITIVES = `
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import verify_receipt as tool
vectors = tool.JsonDocument(open(sys.argv[2], 'rb').read()).value
def canonical(text):
    try:
        return tool.canonical_json(tool.JsonDocument(text.encode('utf-8', 'surrogatepass')).value)
    except tool.Fault as fault:
        return fault.code
def digest(one):
    try:
        return tool.digest_text(tool.record_digest(one['kind'], one['body'], one['salts']))
    except tool.Fault:
        return None
texts = [canonical(one['text']) for one in vectors['canonicalJson']]
digests = [digest(one) == one['claimed'] for one in vectors['recordDigests']]
print(json.dumps({'texts': texts, 'digests': digests}))
`;

const RUN_WITNESSES = `
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import verify_receipt as tool
vectors = json.load(open(sys.argv[2], encoding='utf-8'))
witness_key = lambda text: tool.parse_named_key(text, tool.WITNESS_KEY)
keys = [witness_key(one['text']) is not None for one in vectors['witnessKeys']]
def cosignature(one):
    return tool.cosignature_time(tool.parse_checkpoint(one['note']), witness_key(one['key']))
def policy(one):
    report = tool.verify_witnesses(one['note'], [witness_key(text) for text in one['witnesses']], one['quorum'])
    return report.get('code', 'verified')
print(json.dumps({
    'keys': keys,
    'cosignatures': [cosignature(one) for one in vectors['cosignatures']],
    'policies': [policy(one) for one in vectors['policies']],
}))
`;

interface Case {
  text: string;
  key: string;
  strict: boolean;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'colophon-python-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The result of the Python verifier for each case: `verified` and its warnings, or a code. */
function runPython(cases: readonly Case[]): string[] {
  const file = path.join(folder, 'cases');
  writeFileSync(file, cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const printed = execFileSync(PYTHON, [TOOL, '--lines', file], { maxBuffer: 2 ** 26, encoding: 'utf8' });
  return printed
    .split('\n')
    .slice(0, -1)
    .map((line) => toResult(JSON.parse(line)));
}

type Report = { verified: true; warnings: string[] } | { verified: false; code: string };

const toResult = (report: Report) =>
  report.verified ? ['verified', ...report.warnings].join(' ') : report.code;

function runOurs({ text, key, strict }: Case): string {
  return toResult(verifyDocument(text, parseTrustedLog(key) as TrustedLog, verify, { strict }).report);
}

describe.runIf(HAS_PYTHON_PACKAGES)('the verifier in Python', () => {
  it.each([
    ['receipts, version 1', vectors.documents],
    ['proven bundles, version 2', bundleVectors.documents],
  ])('gives the result of each vector of %s', (_what, documents) => {
    const expected = documents.map(({ result, warnings }) => [result, ...warnings].join(' '));
    expect(runPython(documents)).toEqual(expected);
  });

  it('names the same unproven parts: attributions only in version 1', () => {
    const valid = [...vectors.documents, ...bundleVectors.documents].filter(
      ({ result }) => result === 'verified',
    );
    const file = path.join(folder, 'valid');
    writeFileSync(file, valid.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const printed = execFileSync(PYTHON, [TOOL, '--lines', file], { maxBuffer: 2 ** 26, encoding: 'utf8' });
    const theirs = printed
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).unproven);
    const ours = valid.map(({ text, key, strict }) => {
      const { report } = verifyDocument(text, parseTrustedLog(key) as TrustedLog, verify, { strict });
      return 'unproven' in report ? report.unproven : undefined;
    });
    expect(theirs).toEqual(ours);
    const isNamed = ours.map((unproven) => unproven?.includes('attributions'));
    expect(new Set(isNamed)).toEqual(new Set([undefined, true, false]));
  });

  it('gives the canonical JSON and the record digest of each vector', () => {
    const vectorsFile = fileURLToPath(
      new URL('../../../model/test/vectors/receipts-v1.json', import.meta.url),
    );
    const printed = execFileSync(PYTHON, ['-c', RUN_PRIMITIVES, path.dirname(TOOL), vectorsFile]);
    const { texts, digests } = JSON.parse(printed.toString());
    expect(texts).toEqual(vectors.canonicalJson.map(({ canonical, fault }) => canonical ?? fault));
    expect(digests).toEqual(vectors.recordDigests.map(({ digest }) => digest !== null));
  });

  it('gives the result of each vector of cosignatures', () => {
    const file = fileURLToPath(new URL('../../../model/test/vectors/witnesses-v1.json', import.meta.url));
    const printed = execFileSync(PYTHON, ['-c', RUN_WITNESSES, path.dirname(TOOL), file]);
    const resultOf = ({ result }: { result: unknown }) => result;
    expect(JSON.parse(printed.toString())).toEqual({
      keys: witnessVectors.witnessKeys.map(({ isValid }) => isValid),
      cosignatures: witnessVectors.cosignatures.map(resultOf),
      policies: witnessVectors.policies.map(resultOf),
    });
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
    'agrees with this one on 10,000 random changes of %s, and both accept the harmless ones',
    {
      timeout: 300_000,
    },
    (_what, key, documents, codes) => {
      const random = createRandom(20);
      const small = documents.filter((text) => text.length < 14_000);
      const cases = Array.from({ length: 10_000 }, (_, index): Case => {
        const change = index % 10 < 3 ? mutateText : index % 10 === 3 ? rewrite : mutateValue;
        return { text: change(random.pick(small), random), key, strict: index % 2 === 0 };
      });
      const isJson = ({ text }: Case) => {
        try {
          return JSON.parse(text) !== undefined;
        } catch {
          return false;
        }
      };
      const ours = cases.map(runOurs);
      const theirs = runPython(cases);
      const disagreements = cases.flatMap(({ text, strict }, index) =>
        ours[index] === theirs[index] ? [] : [{ ours: ours[index], theirs: theirs[index], strict, text }],
      );
      expect(disagreements.slice(0, 3)).toEqual([]);
      expect(cases.filter(isJson).length).toBeGreaterThanOrEqual(5_000);
      const accepted = ours.filter((result) => result.startsWith('verified'));
      expect(accepted.length).toBeGreaterThanOrEqual(500);
      expect(new Set(ours).size).toBeGreaterThanOrEqual(codes);
    },
  );
});

it.runIf(HAS_PYTHON_PACKAGES)('prints the report and exits with 0 or 3', () => {
  const file = path.join(CORPUS, 'receipts', 'entity.json');
  const printed = execFileSync(PYTHON, [TOOL, file, '--key', vectors.key], { encoding: 'utf8' });
  expect(JSON.parse(printed)).toMatchObject({ verified: true, kind: 'entity' });
  const other = () => execFileSync(PYTHON, [TOOL, file, '--key', '00'.repeat(32)], { stdio: 'pipe' });
  expect(other).toThrow(expect.objectContaining({ status: 3 }));
});

it.runIf(HAS_PYTHON_PACKAGES)('checks a quorum of witnesses after the document', () => {
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
  expect(run('--witness', 'x').status).toBe(2);
});
