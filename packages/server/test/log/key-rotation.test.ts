import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  formatVerifierKey,
  type KeyHistory,
  parseCheckpoint,
  parseTrustedLog,
  type SignedCheckpoint,
  signCheckpoint,
  type TrustedLog,
  toVerifierKey,
  verifyBundle,
  verifyKeyHistory,
} from '@colophon/model';
import { afterAll, afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { createSigner, createVerifySignature } from '../../src/access/ed25519.js';
import { findOrphanedLeaves } from '../../src/integrity/integrity.sql.js';
import { readLogSize } from '../../src/transparency-log/log.sql.js';
import { createMigratedDatabase } from '../support/postgres.js';
import { createEmptyDatabase } from '../support/postgres-databases.js';
import { HAS_PYTHON_CRYPTOGRAPHY, PYTHON } from '../support/programs.js';
import { runCli } from '../support/run-cli.js';
import { jsonPost, KEY, OTHER_KEY, type Service, startService } from '../support/service.js';
import { TOOL } from './python-tool.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [A, B, C] = ['0a', '0b', '0c'].map((byte) => byte.repeat(32)) as [string, string, string];
const publicKeyOf = (seed: string) => createSigner(seed).publicKeyHex;
const verify = createVerifySignature();
const asOther = { authorization: `Bearer ${OTHER_KEY}` };

let count = 0;
const writeFile = (name: string, text: string) => {
  const file = path.join(folder, `${++count}-${name}`);
  writeFileSync(file, text);
  return file;
};

const keysOf = async (service: Service, headers = {}): Promise<KeyHistory> =>
  (await service.send('/v1/log/keys', { headers })).json();
const trustedBy = (origin: string, seed: string) => ({
  origin,
  publicKey: Buffer.from(publicKeyOf(seed), 'hex'),
});

/** Signs the checkpoint again, and hides the hand-overs. */
async function startHiding(target: string, sign: (checkpoint: SignedCheckpoint) => string) {
  const server = createServer(async ({ url = '', headers: { authorization = '' } }, response) => {
    if (url === '/v1/log/keys') return void response.writeHead(404).end();
    const answer = await fetch(target + url, { headers: { authorization } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    const checkpoint = url === '/v1/log/checkpoint' ? parseCheckpoint(bytes.toString()) : undefined;
    response.end(checkpoint === undefined ? bytes : sign(checkpoint));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

interface Place {
  environment(seed: string): Record<string, string>;
  start(seed: string): Promise<Service>;
}

describe('the keys of logs', { timeout: 240_000 }, () => {
  let place: Place;
  let running: Service | undefined;
  beforeEach(async () => {
    const DATABASE_URL = await createMigratedDatabase(inject('postgresUrl'), 'keys of logs');
    const environment = (seed: string) => ({ DATABASE_URL, SERVER_SIGNING_KEY: seed });
    place = {
      environment,
      start: (seed) => startService('PGlite in memory', { environment: environment(seed) }),
    };
  });
  afterEach(() => running?.stop());

  const start = async (seed: string): Promise<Service> => {
    await running?.stop();
    running = undefined;
    running = await place.start(seed);
    return running;
  };
  const rotate = async (seed: string, ...options: string[]) => {
    await running?.stop();
    running = undefined;
    return runCli(['log', 'rotate-key', ...options], place.environment(seed));
  };

  it('are linked by signed hand-overs, and documents signed by each key verify', async () => {
    let service = await start(A);
    const { actionId, cid } = await (await service.upload('a photo')).json();
    const { verifierKey: first, origin } = await (await service.send('/v1/log')).json();
    expect(await keysOf(service)).toMatchObject({ origin, keys: [{ verifierKey: first }], handovers: [] });
    const receipt = async () =>
      writeFile('receipt.json', await (await service.send(`/v1/action/${actionId}/receipt`)).text());
    const old = await receipt();
    const oldStatement = path.join(folder, 'old.cose');
    const asCose = { headers: { accept: 'application/cose' } };
    const answer = await service.send(`/v1/action/${actionId}/receipt`, asCose);
    writeFileSync(oldStatement, Buffer.from(await answer.arrayBuffer()));
    const watch = (options: string[] = []) =>
      runCli(['log', 'watch', '--once', '--dir', path.join(folder, 'watch'), ...options], {
        COLOPHON_URL: service.base,
        COLOPHON_API_KEY: KEY,
      });
    expect(await watch(['--key', first])).toMatchObject({ status: 0 });

    for (const [former, next] of [
      [A, B],
      [B, C],
    ] as const) {
      const { status, stdout, stderr } = await rotate(former, '--new-key-file', writeFile('key', next));
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toContain('hand-over   appended as a leaf to 1 log\n');
      service = await start(next);
      await service.upload(`after ${next}`);
    }
    const text = JSON.stringify(await keysOf(service));
    const history = writeFile('keys.json', text);
    const report = verifyKeyHistory(text, parseTrustedLog(first) as TrustedLog, verify);
    expect(report).toMatchObject({ verified: true, origin, keys: { length: 3 } });
    expect(verifyKeyHistory(text, trustedBy(origin, B), verify)).toMatchObject({ keys: { length: 2 } });
    expect(JSON.parse(text).keys.map(({ publicKey }: { publicKey: string }) => publicKey)).toEqual(
      [A, B, C].map(publicKeyOf),
    );
    const bundle = await (await service.send(`/v1/bundle/${cid}?proof=true`)).json();
    expect(verifyBundle(bundle, trustedBy(origin, C), verify)).toMatchObject({
      verified: true,
      complete: true,
    });
    const { provenance } = service.context.databases;
    const to = await readLogSize(provenance, namedProjectId('one'));
    const leaves = await findOrphanedLeaves(provenance, namedProjectId('one'), { from: 0, to });
    expect(leaves).toMatchObject({ missing: [], forsaken: [] });
    const check = (file: string, ...options: string[]) => runCli(['verify', file, ...options], {});
    const present = await receipt();
    expect(await check(present, '--key', first)).toMatchObject({ status: 3 });
    const followed = await check(present, '--key', first, '--keys', history);
    expect([followed.status, followed.stdout]).toEqual([0, expect.stringContaining('--key and --keys')]);
    const retired = await check(old, '--key', first, '--keys', history);
    expect([retired.status, retired.stdout]).toEqual([0, expect.stringContaining('(retired)')]);
    const unbounded = await check(oldStatement, '--key', first, '--keys', history);
    expect([unbounded.status, unbounded.stdout]).toEqual([
      0,
      expect.stringMatching(/^not checked .+; whether the retired key signed before its hand-over/m),
    ]);
    for (const file of [old, present])
      expect(await check(file, '--key', first, '--key', publicKeyOf(C))).toMatchObject({ status: 0 });
    if (HAS_PYTHON_CRYPTOGRAPHY) {
      const byPython = (file: string, ...options: string[]) =>
        spawnSync(PYTHON, [TOOL, file, ...options], { encoding: 'utf8' });
      for (const file of [old, present]) {
        const { status, stdout } = byPython(file, '--key', first, '--keys', history);
        expect([status, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ verified: true })]);
      }
      expect(JSON.parse(byPython(present, '--key', first).stdout)).toMatchObject({ code: 'untrustedKey' });
      expect(byPython(present, '--key', first, '--key', publicKeyOf(C)).status).toBe(0);
      const ofOther = byPython(present, '--key', publicKeyOf('0d'.repeat(32)), '--keys', history);
      expect([ofOther.status, JSON.parse(ofOther.stdout)]).toEqual([
        3,
        { verified: false, code: 'untrustedKey', document: 'keys' },
      ]);
      expect(byPython(present, '--keys', history).status).toBe(2);
    }
    const byService = { COLOPHON_URL: service.base, COLOPHON_API_KEY: KEY };
    for (const file of [old, present]) expect((await runCli(['verify', file], byService)).status).toBe(0);
    expect((await runCli(['log', 'keys'], byService)).stdout).toMatch(
      /handed over at leaf \d+\n.*\n.*present/,
    );
    const watched = await watch();
    expect([watched.status, watched.stdout]).toEqual([0, expect.stringContaining('new, consistent')]);
    const other = Buffer.from(createSigner('0d'.repeat(32)).publicKeyHex, 'hex');
    const hiding = await startHiding(service.base, (checkpoint) =>
      signCheckpoint({ ...checkpoint, origin }, createSigner(A)),
    );
    // This server shows no hand-overs, and signs the present tree with the first key.
    const stolen = await runCli(['log', 'watch', '--once', '--dir', path.join(folder, 'watch')], {
      COLOPHON_URL: hiding.base,
      COLOPHON_API_KEY: KEY,
    });
    hiding.close();
    expect([stolen.status, stolen.stderr]).toEqual([3, expect.stringContaining('retiredKey')]);
    const stranger = await watch(['--key', formatVerifierKey(toVerifierKey(origin, other))]);
    expect([stranger.status, stranger.stderr]).toEqual([3, expect.stringContaining('untrustedKey')]);
  });

  it('have one hand-over in an empty log, even if two callers request the keys at once', async () => {
    await start(A);
    expect((await rotate(A, '--new-key-file', writeFile('key', B))).stdout).toContain(
      'hand-over   appended as a leaf to 0 logs\n',
    );
    const service = await start(B);
    const [one, two] = await Promise.all([keysOf(service), keysOf(service)]);
    expect([one, two].map(({ handovers }) => handovers.map(({ leafIndex }) => leafIndex))).toEqual([
      [0],
      [0],
    ]);
    await service.upload('a photo', undefined, asOther);
    const other = await keysOf(service, asOther);
    const report = verifyKeyHistory(JSON.stringify(other), trustedBy(other.origin, A), verify);
    expect(report).toMatchObject({ verified: true, keys: [{ maxSize: other.handovers[0]?.leafIndex }, {}] });
  });

  it('allow a service to start only with the present key', async () => {
    const service = await start(A);
    await service.upload('a photo');
    const refusal = `were last signed with ${publicKeyOf(A)}`;
    await service.stop();
    running = undefined;
    await expect(place.start(B)).rejects.toThrow(refusal);
    await expect(place.start(B)).rejects.toThrow('colophon log rotate-key');
    await rotate(A, '--new-key-file', writeFile('key', B));
    await expect(place.start(A)).rejects.toThrow(`were last signed with ${publicKeyOf(B)}`);
    expect(await rotate(A, '--new-key-file', writeFile('key', B))).toMatchObject({ status: 0 });
    const back = await rotate(B, '--new-key-file', writeFile('key', A));
    expect([back.status, back.stderr]).toEqual([2, expect.stringContaining('has signed the logs before')]);
    const wrong = await rotate(C, '--new-key-file', writeFile('key', A));
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('present key')]);

    const lost = await rotate(C, '--former-key-lost');
    expect([lost.status, lost.stderr]).toEqual([0, '']);
    const text = JSON.stringify(await keysOf(await start(C)));
    const { origin } = JSON.parse(text);
    expect(verifyKeyHistory(text, trustedBy(origin, B), verify)).toMatchObject({ code: 'untrustedKey' });
    expect(verifyKeyHistory(text, trustedBy(origin, C), verify)).toMatchObject({ verified: true });
  });
});

describe('a key in DATA_DIR', { timeout: 120_000 }, () => {
  it('is replaced by the rotation, and the service starts with the new key', async () => {
    const DATABASE_URL = await createMigratedDatabase(inject('postgresUrl'), 'own key');
    const environment = { DATABASE_URL, DATA_DIR: path.join(folder, 'own-key') };
    const start = () => startService('PGlite in memory', { environment });
    let service = await start();
    await service.upload('a photo');
    const { verifierKey } = await (await service.send('/v1/log')).json();
    await service.stop();
    const former = readFileSync(path.join(environment.DATA_DIR, 'log-signing-key'), 'utf8');
    const { status, stderr } = await runCli(['log', 'rotate-key'], environment);
    expect([status, stderr]).toEqual([0, '']);
    service = await start();
    const text = JSON.stringify(await keysOf(service));
    await service.stop();
    const trusted = parseTrustedLog(verifierKey) as TrustedLog;
    expect(verifyKeyHistory(text, trusted, verify)).toMatchObject({ verified: true, keys: { length: 2 } });
    expect(readFileSync(path.join(environment.DATA_DIR, 'log-signing-key.former'), 'utf8')).toBe(former);
    writeFileSync(path.join(environment.DATA_DIR, 'log-signing-key'), former);
    await expect(start()).rejects.toThrow('log-signing-key in DATA_DIR');
  });
});

describe('a rotation that was interrupted before DATA_DIR had the new key', { timeout: 240_000 }, () => {
  it('is part of a backup, and the same command completes it after the restore', async () => {
    const DATABASE_URL = await createMigratedDatabase(inject('postgresUrl'), 'interrupted');
    const environment = { DATABASE_URL, DATA_DIR: path.join(folder, 'interrupted') };
    const keyIn = (directory: string, suffix = '') => path.join(directory, `log-signing-key${suffix}`);
    const service = await startService('PGlite in memory', { environment });
    await service.upload('a photo');
    await service.stop();
    await runCli(['log', 'rotate-key'], environment);
    const [former, present] = ['.former', ''].map((suffix) =>
      readFileSync(keyIn(environment.DATA_DIR, suffix), 'utf8'),
    ) as [string, string];
    writeFileSync(keyIn(environment.DATA_DIR, '.next'), present);
    writeFileSync(keyIn(environment.DATA_DIR), former);

    const backup = path.join(folder, 'interrupted-backup');
    const written = await runCli(['backup', backup], environment);
    expect([written.status, readFileSync(keyIn(backup, '.next'), 'utf8')]).toEqual([0, present]);
    const restored = {
      DATABASE_URL: await createEmptyDatabase(inject('postgresUrl')),
      DATA_DIR: path.join(folder, 'interrupted-restored'),
    };
    const { status, stderr } = await runCli(['restore', backup], restored);
    expect([status, stderr]).toEqual([0, '']);
    const start = () => startService('PGlite in memory', { environment: restored });
    await expect(start()).rejects.toThrow('If a rotation was interrupted, run it again');
    const ended = await runCli(['log', 'rotate-key'], restored);
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    const again = await start();
    expect((await keysOf(again)).keys).toHaveLength(2);
    await again.stop();
    expect(readFileSync(keyIn(restored.DATA_DIR), 'utf8')).toBe(present);
  });
});

describe('a key in memory', () => {
  it('is not stored as the key of the logs; if a permanent key was used before, /readyz shows a warning', async () => {
    const DATABASE_URL = await createMigratedDatabase(inject('postgresUrl'), 'keys in memory');
    const environment = { DATABASE_URL, SERVER_SIGNING_KEY: '' };
    for (let starts = 0; starts < 2; starts++) {
      const service = await startService('PGlite in memory', { environment });
      expect((await keysOf(service)).keys).toHaveLength(1);
      await service.stop();
    }
    const lasting = { ...environment, SERVER_SIGNING_KEY: A };
    await (await startService('PGlite in memory', { environment: lasting })).stop();
    const service = await startService('PGlite in memory', { environment });
    expect((await keysOf(service)).keys).toHaveLength(2);
    const { checks } = await (await fetch(`${service.base}/readyz`)).json();
    expect(JSON.stringify(checks)).toContain('is not the present key of the logs');
    await service.stop();
  });
});

describe('LOG_SIGNER_COMMAND', { timeout: 120_000 }, () => {
  const command = (name: string, sign: string) => {
    const file = writeFile(name, `#!${process.execPath}\n${sign}`);
    chmodSync(file, 0o755);
    return file;
  };
  const SIGNS = `
    const { createPrivateKey, createPublicKey, sign } = require('node:crypto');
    const { readFileSync } = require('node:fs');
    const der = Buffer.from('302e020100300506032b657004220420' + process.argv[2], 'hex');
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const isKey = process.argv[3] === 'public-key';
    const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
    if (isKey) console.log(spki.subarray(-32).toString('hex'));
    else console.log(sign(null, readFileSync(0), key).toString('hex'));
  `;

  it('signs checkpoints, bundles and COSE like a key of the service, and a rotation can replace it', async () => {
    const DATABASE_URL = await createMigratedDatabase(inject('postgresUrl'), 'command signer');
    const LOG_SIGNER_COMMAND = `${command('kms', SIGNS)} ${A}`;
    const environment = { DATABASE_URL, LOG_SIGNER_COMMAND };
    let service = await startService('PGlite in memory', { environment });
    const { actionId, cid } = await (await service.upload('a photo')).json();
    const log = await (await service.send('/v1/log')).json();
    expect(log.publicKey).toBe(publicKeyOf(A));
    const bundle = await (await service.send(`/v1/bundle/${cid}?proof=true`)).json();
    expect(verifyBundle(bundle, trustedBy(log.origin, A), verify)).toMatchObject({ verified: true });
    for (const accept of ['application/json', 'application/cose']) {
      const answer = await service.send(`/v1/action/${actionId}/receipt`, { headers: { accept } });
      const file = writeFile('receipt', '');
      writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
      expect((await runCli(['verify', file, '--key', log.verifierKey], {})).status).toBe(0);
    }
    await service.stop();
    const next = `${LOG_SIGNER_COMMAND.split(' ')[0]} ${B}`;
    const rotated = await runCli(['log', 'rotate-key', '--new-signer-command', next], environment);
    expect([rotated.status, rotated.stderr]).toEqual([0, '']);
    service = await startService('PGlite in memory', {
      environment: { DATABASE_URL, LOG_SIGNER_COMMAND: next },
    });
    const text = JSON.stringify(await keysOf(service));
    expect(verifyKeyHistory(text, trustedBy(log.origin, A), verify)).toMatchObject({ keys: { length: 2 } });
    await service.stop();
  });

  it('that fails or returns a wrong signature makes proofs unavailable, while recordings continue', async () => {
    const state = path.join(folder, 'mode');
    const file = command(
      'kms',
      `const mode = require('node:fs').readFileSync('${state}', 'utf8');
       if (process.argv[3] === 'sign' && mode === 'fail') { console.error('no token'); process.exit(7); }
       if (process.argv[3] === 'sign' && mode === 'lie') { console.log('00'.repeat(64)); process.exit(0); }
       ${SIGNS}`,
    );
    writeFileSync(state, 'sign');
    const environment = { LOG_SIGNER_COMMAND: `${file} ${A}` };
    const service = await startService('PGlite in memory', { environment });
    for (const mode of ['fail', 'lie']) {
      writeFileSync(state, mode);
      const { actionId } = await (await service.upload(`recorded: ${mode}`)).json();
      const answer = await service.send(`/v1/action/${actionId}/receipt`);
      expect([answer.status, (await answer.json()).error.code]).toEqual([503, 'Unavailable']);
      writeFileSync(state, 'sign');
      expect((await service.send(`/v1/action/${actionId}/receipt`)).status).toBe(200);
    }
    writeFileSync(state, 'fail');
    const prefer = { prefer: 'return=representation' };
    const recorded = await service.send('/v1/entity', jsonPost({ id: 'studio:bo', role: 'human' }, prefer));
    expect([recorded.status, recorded.headers.get('preference-applied')]).toEqual([201, null]);
    await service.stop();
    const broken = { LOG_SIGNER_COMMAND: command('broken', 'console.log("no key")') };
    await expect(startService('PGlite in memory', { environment: broken })).rejects.toThrow('64 hex digits');
  });
});
