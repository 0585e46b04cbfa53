import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  emptyRoot,
  formatVerifierKey,
  formatWitnessRequest,
  leafHash,
  nodeHash,
  parseWitnessKey,
  proveConsistency,
  type ReadHashes,
  signCheckpoint,
  toVerifierKey,
  treeRoot,
  verifyWitnesses,
  type WitnessKey,
} from '@colophon/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSigner, createVerifySignature } from '../../src/access/ed25519.js';
import { createCosignatureVerifiers, explainMissingMlDsa, hasMlDsa } from '../../src/access/ml-dsa.js';
import { startWitness, type WitnessProcess } from '../support/witness.js';

const ORIGIN = 'log.example.org/log/a';
const signer = createSigner('01'.repeat(32));
const LOG = formatVerifierKey(toVerifierKey(ORIGIN, Buffer.from(signer.publicKeyHex, 'hex')));
const verify = createVerifySignature();

/** Two salts are two views of one log. */
function createLog(salt: string, origin = ORIGIN, key = signer) {
  const hashAt = (level: number, index: number): Uint8Array =>
    level === 0
      ? leafHash(`sha256:${Buffer.from(`${salt}${index}`.padEnd(32)).toString('hex')}`)
      : nodeHash(hashAt(level - 1, 2 * index), hashAt(level - 1, 2 * index + 1));
  const read: ReadHashes = async (all) => all.map(({ level, index }) => hashAt(level, index));
  const sign = async (size: number) =>
    signCheckpoint({ origin, size, root: size === 0 ? emptyRoot() : await treeRoot(size, read) }, key);
  const request = async (oldSize: number, size: number) =>
    formatWitnessRequest({
      oldSize,
      path: await proveConsistency({ from: oldSize, to: size }, read),
      note: await sign(size),
    });
  return { sign, request };
}

describe('colophon witness', () => {
  const honest = createLog('honest');
  const forked = createLog('forked');
  let directory: string;
  let witness: WitnessProcess;

  beforeEach(async () => {
    directory = path.join(mkdtempSync(path.join(tmpdir(), 'witness-')), 'state');
    witness = await startWitness(directory, [LOG], ['--name', 'witness.example.org/one']);
  });
  afterEach(async () => {
    await witness.kill9();
    rmSync(path.dirname(directory), { recursive: true });
  });

  const statusOf = async (body: string | Promise<string>) => (await witness.add(await body)).status;
  const policy = () => ({ witnesses: [parseWitnessKey(witness.key) as WitnessKey], quorum: 1 });
  async function expectSize(body: Promise<string>, size: number): Promise<void> {
    const answer = await witness.add(await body);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      409,
      'text/x.tlog.size',
      `${size}\n`,
    ]);
  }

  it('cosigns a log that only grows, with lines that verify on the checkpoint', async () => {
    for (const [from, to] of [
      [0, 0],
      [0, 3],
      [3, 3],
      [3, 8],
      [8, 300],
    ] as const) {
      const answer = await witness.add(await honest.request(from, to));
      expect(answer.status).toBe(200);
      const lines = await answer.text();
      expect(lines).toMatch(/^— witness\.example\.org\/one \S+\n$/);
      const report = verifyWitnesses((await honest.sign(to)) + lines, policy(), verify);
      expect(report).toMatchObject({ verified: true, missing: [] });
      const [{ timeSeconds } = { timeSeconds: 0 }] = report.cosigned;
      expect(Math.abs(timeSeconds - Date.now() / 1000)).toBeLessThan(10);
    }
  });

  it('refuses a fork of the log, although the key of the log signed it', async () => {
    expect(await statusOf(honest.request(0, 5))).toBe(200);
    await expectSize(forked.request(5, 5), 5);
    expect(await statusOf(forked.request(5, 9))).toBe(422);
    await expectSize(forked.request(0, 5), 5);
    expect(await statusOf(honest.request(5, 9))).toBe(200);
  });

  it('refuses a rollback, and answers the size that it cosigned last', async () => {
    expect(await statusOf(honest.request(0, 9))).toBe(200);
    await expectSize(honest.request(0, 4), 9);
    await expectSize(honest.request(4, 9), 9);
    expect(await statusOf(honest.request(9, 10))).toBe(200);
  });

  it('refuses malformed requests, unknown logs, unknown keys and wrong proofs', async () => {
    expect(await statusOf('old 0\n\nwords\n')).toBe(400);
    expect(await statusOf('')).toBe(400);
    expect(await statusOf(`old 9${(await honest.request(0, 5)).slice(5)}`)).toBe(400);
    expect(await statusOf(createLog('a', 'other.example.org/log/a').request(0, 5))).toBe(404);
    expect(await statusOf(createLog('a', ORIGIN, createSigner('02'.repeat(32))).request(0, 5))).toBe(403);
    expect(await statusOf(honest.request(0, 5))).toBe(200);
    const [, proof = ''] = /^old 5\n(.*?\n)/.exec(await honest.request(5, 7)) ?? [];
    expect(await statusOf((await honest.request(5, 7)).replace(proof, ''))).toBe(422);
    expect(await statusOf((await honest.request(0, 6)).replace('old 0\n', `old 0\n${proof}`))).toBe(409);
    expect(await statusOf('a'.repeat(524_288))).toBe(400);
    expect(await statusOf('a'.repeat(524_289))).toBe(413);
    expect((await fetch(`${witness.url}/add-checkpoint`)).status).toBe(405);
    expect((await fetch(`${witness.url}/`, { method: 'POST', body: 'a' })).status).toBe(404);
  });

  it('cosigns one of many concurrent requests that begin at the same size', async () => {
    expect(await statusOf(honest.request(0, 1))).toBe(200);
    const requests = Array.from({ length: 20 }, (_, place) => statusOf(honest.request(1, 2 + place)));
    const statuses = await Promise.all(requests);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
  });

  it('keeps its key and its newest checkpoint after a kill', async () => {
    expect(await statusOf(honest.request(0, 5))).toBe(200);
    const { key } = witness;
    await witness.kill9();
    // A crash during a write leaves a draft.
    writeFileSync(path.join(directory, `${'0'.repeat(64)}.checkpoint.new`), 'half a chec');
    witness = await startWitness(directory, [LOG]);
    expect(witness.key).toBe(key);
    await expectSize(forked.request(0, 5), 5);
    expect(await statusOf(honest.request(5, 6))).toBe(200);
  });

  it('does not let other users open its files', () => {
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(directory, 'witness-key')).mode & 0o777).toBe(0o600);
    for (const name of readdirSync(directory))
      expect(statSync(path.join(directory, name)).mode & 0o077).toBe(0);
  });

  it('does not start on a directory that is in use, open to others or damaged, nor under another name', async () => {
    await expect(startWitness(directory, [LOG])).rejects.toThrow('in use by process');
    expect(await statusOf(honest.request(0, 5))).toBe(200);
    await witness.stop();
    await expect(startWitness(directory, [LOG], ['--name', 'b'])).rejects.toThrow('has the name');
    chmodSync(directory, 0o755);
    await expect(startWitness(directory, [LOG])).rejects.toThrow('chmod 700');
    chmodSync(directory, 0o700);
    const [file = ''] = readdirSync(directory).filter((name) => name.endsWith('.checkpoint'));
    writeFileSync(path.join(directory, file), 'damaged');
    await expect(startWitness(directory, [LOG])).rejects.toThrow('is damaged');
    await expect(startWitness(directory, ['00'.repeat(32)])).rejects.toThrow('is malformed. Pass <origin>');
  });

  describe('with a limit of 2 requests a minute for each log', () => {
    const begin = async (...more: string[]) => {
      await witness.stop();
      witness = await startWitness(directory, [LOG], ['--limit-per-minute', '2', ...more]);
    };
    const add = (body: string, forwardedFor?: string) =>
      fetch(`${witness.url}/add-checkpoint`, {
        method: 'POST',
        body,
        ...(forwardedFor === undefined ? {} : { headers: { 'x-forwarded-for': forwardedFor } }),
      });
    const statusesOf = async (count: number, send: (place: number) => Promise<Response>) => {
      const statuses: number[] = [];
      for (let place = 0; place < count; place++) statuses.push((await send(place)).status);
      return statuses;
    };

    it('does not count requests without a valid signature of the log towards the limit of the log', async () => {
      await begin();
      const forged = await createLog('a', ORIGIN, createSigner('02'.repeat(32))).request(0, 5);
      expect(await statusesOf(20, () => add(forged))).toEqual(Array(20).fill(403));
      expect(await statusOf(honest.request(0, 1))).toBe(200);
      expect(await statusOf(honest.request(1, 2))).toBe(200);
      const refused = await witness.add(await honest.request(2, 3));
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    });

    it('answers 429 after 200 requests in total, including malformed ones', async () => {
      await begin();
      const statuses = await statusesOf(201, () => add(''));
      expect(statuses).toEqual([...Array(200).fill(400), 429]);
    });

    it('limits each client of a trusted proxy separately', async () => {
      await begin('--trust-proxy', '1');
      const body = await honest.request(0, 1);
      const own = (place: number) => `203.0.113.${place}, 198.51.100.7`;
      expect(await statusesOf(3, (place) => add(body, own(place)))).toEqual([200, 409, 429]);
      expect((await add(await honest.request(1, 2), '198.51.100.8')).status).toBe(200);
      expect(await statusesOf(21, () => add('', '198.51.100.9'))).toEqual([...Array(20).fill(400), 429]);
      expect((await add(await honest.request(2, 3), '198.51.100.10')).status).toBe(200);
    });

    it('does not start with a host name in --trust-proxy', async () => {
      await expect(begin('--trust-proxy', 'proxy.example.org')).rejects.toThrow('--trust-proxy must be true');
    });
  });
});

describe('colophon witness --algorithm ml-dsa-44', () => {
  const log = createLog('honest');
  const name = 'witness.example.org/new';
  let directory: string;
  let witness: WitnessProcess | undefined;
  beforeEach(() => {
    directory = path.join(mkdtempSync(path.join(tmpdir(), 'witness-')), 'state');
  });
  afterEach(async () => {
    await witness?.kill9();
    witness = undefined;
    rmSync(path.dirname(directory), { recursive: true });
  });
  const start = async (...more: string[]) => {
    witness = await startWitness(directory, [LOG], more);
    return witness;
  };

  it.runIf(hasMlDsa())(
    'cosigns a log that only grows, keeps its key, and refuses a fork (Node 24.6 or later)',
    async () => {
      const first = await start('--algorithm', 'ml-dsa-44', '--name', name);
      const key = parseWitnessKey(first.key) as WitnessKey;
      expect(key).toMatchObject({ name, algorithm: 'ml-dsa-44' });
      const expectCosigned = async (from: number, to: number, by: WitnessProcess) => {
        const answer = await by.add(await log.request(from, to));
        expect(answer.status).toBe(200);
        const note = (await log.sign(to)) + (await answer.text());
        const report = verifyWitnesses(note, { witnesses: [key], quorum: 1 }, createCosignatureVerifiers());
        expect(report).toMatchObject({ verified: true, missing: [] });
        const [{ timeSeconds } = { timeSeconds: 0 }] = report.cosigned;
        expect(Math.abs(timeSeconds - Date.now() / 1000)).toBeLessThan(10);
        expect(verifyWitnesses(note, { witnesses: [key], quorum: 0 }, verify)).toMatchObject({
          missing: [{ reason: 'notChecked' }],
        });
      };
      await expectCosigned(0, 0, first);
      await expectCosigned(0, 3, first);
      await expectCosigned(3, 300, first);
      expect((await first.add(await createLog('forked').request(3, 301))).status).toBe(409);
      await first.kill9();
      const again = await start();
      expect(again.key).toBe(first.key);
      await expectCosigned(300, 301, again);
      await again.stop();
      await expect(start('--algorithm', 'ed25519')).rejects.toThrow(
        'has an ML-DSA-44 key. Leave --algorithm',
      );
    },
  );

  it.runIf(hasMlDsa())('does not start with a name of more than 255 bytes (Node 24.6 or later)', async () => {
    const long = createSigner('01'.repeat(32));
    const key = toVerifierKey('ü'.repeat(128), Buffer.from(long.publicKeyHex, 'hex'));
    const options = ['--algorithm', 'ml-dsa-44'];
    await expect(start(...options, '--name', 'n'.repeat(256))).rejects.toThrow('at most 255 bytes');
    await expect(start(...options, '--log', formatVerifierKey(key))).rejects.toThrow('at most 255 bytes');
    expect(readdirSync(directory)).not.toContain('name');
    writeFileSync(path.join(directory, 'name'), 'n'.repeat(256));
    await expect(start(...options)).rejects.toThrow('at most 255 bytes');
    expect(readdirSync(directory)).toEqual(['name']);
  });

  it.runIf(!hasMlDsa())('does not start, and names the needed Node (Node before 24.6)', async () => {
    await expect(start('--algorithm', 'ml-dsa-44')).rejects.toThrow(
      `${explainMissingMlDsa()}. Use a Node that has it, or --algorithm ed25519.`,
    );
    expect(readdirSync(directory)).not.toContain('name');
    writeFileSync(path.join(directory, 'witness-key-ml-dsa-44'), `${'01'.repeat(32)}\n`, { mode: 0o600 });
    await expect(start()).rejects.toThrow('has an ML-DSA-44 key. ML-DSA-44 needs Node 24.6');
  });

  describe('in a directory without exactly one readable key', () => {
    const key = () => path.join(directory, 'witness-key');
    beforeEach(() => mkdirSync(directory, { mode: 0o700 }));

    it('does not start with two keys, and its error names both files', async () => {
      for (const file of [key(), `${key()}-ml-dsa-44`])
        writeFileSync(file, `${'01'.repeat(32)}\n`, { mode: 0o600 });
      for (const more of [[], ['--algorithm', 'ed25519'], ['--algorithm', 'ml-dsa-44']])
        await expect(start(...more)).rejects.toThrow('has two keys, witness-key and witness-key-ml-dsa-44.');
    });

    it('does not start with a key that is a symbolic link without a target, and creates no other key', async () => {
      for (const file of [key(), `${key()}-ml-dsa-44`]) {
        symlinkSync(path.join(directory, 'unmounted', 'key'), file);
        await expect(start()).rejects.toThrow(/ENOENT|ML-DSA-44 key/);
        expect(readdirSync(directory).filter((name) => name.startsWith('witness-key'))).toEqual([
          path.basename(file),
        ]);
        rmSync(file);
        rmSync(path.join(directory, 'name'), { force: true });
      }
    });

    it('does not start with a name but no key, unless --algorithm permits a new key', async () => {
      const first = await start('--name', name);
      await first.stop();
      renameSync(key(), `${key()}.copy`);
      await expect(start()).rejects.toThrow('has a name, but no key. Restore witness-key or');
      const other = await start('--algorithm', 'ed25519');
      expect(parseWitnessKey(other.key)).toMatchObject({ name });
      expect(other.key).not.toBe(first.key);
      await other.stop();
      renameSync(`${key()}.copy`, key());
      expect((await start()).key).toBe(first.key);
    });
  });

  it('does not start with an unknown algorithm, or with an algorithm that the key does not have', async () => {
    await expect(start('--algorithm', 'rsa')).rejects.toThrow('--algorithm takes ed25519 or ml-dsa-44.');
    const first = await start('--algorithm', 'ed25519');
    expect(parseWitnessKey(first.key)).toMatchObject({ algorithm: 'ed25519' });
    await first.stop();
    await expect(start('--algorithm', 'ml-dsa-44')).rejects.toThrow(
      'has an Ed25519 key. Leave --algorithm out',
    );
  });
});
