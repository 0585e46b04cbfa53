import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cosign, formatWitnessKey, toWitnessKey } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSigner } from '../../src/access/ed25519.js';
import { explainMissingMlDsa, hasMlDsa } from '../../src/access/ml-dsa.js';
import { formatExplanation } from '../../src/cli/explanation.js';
import { COSIGNED_CHECKPOINT, ED25519_KEY, ML_DSA_KEY } from '../support/ml-dsa-vectors.js';
import { runCli } from '../support/run-cli.js';

const CORPUS = fileURLToPath(new URL('../log/corpus/v1/', import.meta.url));
const LOG: string = JSON.parse(readFileSync(path.join(CORPUS, 'log.json'), 'utf8')).verifierKey;
const folder = mkdtempSync(path.join(tmpdir(), 'colophon-verify-options-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [one, other] = ['02', '03'].map((byte) => createSigner(byte.repeat(32))) as [Signer, Signer];
type Signer = ReturnType<typeof createSigner>;
const keyOf = (name: string, { publicKeyHex }: Signer) =>
  formatWitnessKey(toWitnessKey(name, Buffer.from(publicKeyHex, 'hex')));
const [FIRST, RENAMED, OTHER] = [keyOf('first', one), keyOf('renamed', one), keyOf('other', other)] as const;

describe('the witnesses of `colophon verify`', () => {
  const file = path.join(folder, 'receipt.json');
  beforeAll(() => {
    const receipt = JSON.parse(readFileSync(path.join(CORPUS, 'receipts/entity.json'), 'utf8'));
    const [text = ''] = String(receipt.log.checkpoint).split('\n\n');
    receipt.log.checkpoint += cosign(`${text}\n`, { name: 'first', timeSeconds: 1_764_028_800 }, one);
    writeFileSync(file, JSON.stringify(receipt));
  });
  const verify = (...options: string[]) => runCli(['verify', file, '--key', LOG, ...options], {});

  it('count once for each public key, so two names of one key count as one witness', async () => {
    const both = ['--witness', FIRST, '--witness', RENAMED];
    const { status, stdout, stderr } = await verify(...both);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^not checked {2}whether the witnesses are independent of the log$/m);
    expect(stdout).toMatch(/^as of {8}2025-11-25T00:00:00.000Z by the clock of the witness$/m);
    expect(stdout).toMatch(
      /^witness {6}first at 2025-11-25T00:00:00.000Z\nwitness {6}renamed did not cosign$/m,
    );
    const two = await verify(...both, '--quorum', '2');
    expect([two.status, two.stderr]).toEqual([2, expect.stringContaining('--quorum takes 1 to 1')]);
  });

  it('must all have cosigned if their keys differ and --quorum is not set', async () => {
    const both = ['--witness', FIRST, '--witness', OTHER];
    const { status, stderr } = await verify(...both);
    expect([status, stderr]).toEqual([3, expect.stringContaining('1 of 2 required witnesses')]);
    expect((await verify(...both, '--quorum', '1')).status).toBe(0);
  });

  it.each([
    [['--witness', 'no key'], 'is malformed. Pass <name>'],
    [['--witness', LOG], 'is the key of a log, not of a witness. Pass <name>'],
    [['--quorum', '1'], '--quorum takes'],
    [['--witness', OTHER, '--quorum', '2'], '--quorum takes 1 to 1'],
    [['--witness', OTHER, '--quorum', '0'], '--quorum takes 1 to 1'],
  ])('are rejected with the options %j', async (options, said) => {
    const { status, stderr } = await runCli(['verify', '/dev/null', '--key', LOG, ...options], {});
    expect([status, stderr]).toEqual([2, expect.stringContaining(said)]);
  });
});

describe('the ML-DSA-44 witnesses of `colophon verify`', () => {
  const file = path.join(folder, 'ml-dsa.json');
  const needed = `${explainMissingMlDsa()}.`;
  beforeAll(() => {
    const receipt = JSON.parse(readFileSync(path.join(CORPUS, 'receipts/entity.json'), 'utf8'));
    receipt.log.checkpoint = COSIGNED_CHECKPOINT;
    writeFileSync(file, JSON.stringify(receipt));
  });
  const verifyByPolicy = (quorum: string, ...options: string[]) => {
    const policy = path.join(folder, 'policy.txt');
    const witnesses = `witness new ${ML_DSA_KEY}\nwitness old ${ED25519_KEY}\n`;
    writeFileSync(policy, `log ${LOG}\n${witnesses}group one any new old\nquorum ${quorum}\n`);
    return runCli(['verify', file, '--policy', policy, ...options], {});
  };

  it.runIf(hasMlDsa())('are verified, by --witness and by --policy (Node 24.6 or later)', async () => {
    const line = /^witness {6}witness\.example\.org\/one at 2025-11-25T00:00:00.000Z$/m;
    const keys = ['--key', LOG, '--witness', ML_DSA_KEY];
    for (const found of [await runCli(['verify', file, ...keys], {}), await verifyByPolicy('new')]) {
      expect([found.status, found.stderr]).toEqual([0, '']);
      expect(found.stdout).toMatch(line);
    }
  });

  it.runIf(!hasMlDsa())('do not count, and the command says why (Node before 24.6)', async () => {
    const { status, stdout, stderr } = await verifyByPolicy('new');
    expect([status, stderr]).toEqual([
      3,
      expect.stringContaining(`does not fulfil the policy: belowQuorum. `),
    ]);
    expect(stderr).toContain(`Cosignatures not checked: 1. ${needed}`);
    expect(stdout).toMatch(
      /^witness {6}witness\.example\.org\/one: the cosignature is not checked\. ML-DSA-44 needs/m,
    );
    const report = JSON.parse((await verifyByPolicy('new', '--json')).stdout);
    expect(report.witnesses).toMatchObject({ verified: false, missing: [{ reason: 'notChecked' }] });
  });

  it('prove no time if they state the time 0', () => {
    const explain = (...times: number[]) =>
      formatExplanation({
        ...{ name: 'file', proven: 'a', signedBy: 'b', times: [], untimed: 'no proven time', notChecked: [] },
        witnesses: {
          verified: true,
          cosigned: times.map((timeSeconds) => ({ name: 'w', keyId: '00000000', timeSeconds })),
          missing: [],
        },
      });
    expect(explain(0)).toMatch(/^as of {8}no proven time$/m);
    expect(explain(0)).toMatch(/^witness {6}w without a time$/m);
    expect(explain(0, 1_764_028_800)).toMatch(
      /^as of {8}2025-11-25T00:00:00.000Z by the clock of the witness$/m,
    );
  });

  it('are not necessary for a policy that an Ed25519 witness alone fulfils', async () => {
    const { status, stderr } = await verifyByPolicy('one');
    expect([status, stderr]).toEqual([0, '']);
    expect((await verifyByPolicy('old')).status).toBe(0);
  });
});
