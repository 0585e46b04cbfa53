import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createSigner, createVerifySignature } from '../../src/access/ed25519.js';
import type { Database } from '../../src/platform/db/database.js';
import { checkSigning } from '../../src/transparency-log/check-signing.js';
import { openCommandSigner } from '../../src/transparency-log/command-signer.js';
import { runCommand } from '../../src/transparency-log/run-command.js';
import { OpenRotationError, openNextKey } from '../../src/transparency-log/signing-key.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

function writeProgram(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o700);
  return file;
}

const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`).length > 0;

describe('a command that signs', () => {
  it('is killed when it takes too long, together with the programs that it started', async () => {
    const pidFile = path.join(folder, 'pid');
    const program = writeProgram('slow', `sleep 600 &\necho $! > ${pidFile}\nwait`);
    const run = runCommand([program], 'sign', { input: new Uint8Array(), limitMs: 1_000 });
    await expect(run).rejects.toThrow('did not end within 1000 ms');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    expect(pid).toBeGreaterThan(0);
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });
  });

  it('that prints more than 4,096 characters is rejected', async () => {
    const program = writeProgram('loud', 'head -c 5000 /dev/zero | tr "\\\\0" a');
    const run = runCommand([program], 'sign', { input: new Uint8Array() });
    await expect(run).rejects.toThrow('its output has more than');
  });

  it('that does not exist is rejected with the name of the variable', async () => {
    const open = openCommandSigner([path.join(folder, 'absent')], createVerifySignature());
    await expect(open).rejects.toThrow('LOG_SIGNER_COMMAND cannot be used');
  });
});

describe('the turns of a command that signs', () => {
  const KEY = createSigner('07'.repeat(32));
  const go = path.join(folder, 'go');
  /** The program signs only after the file `go` exists. At its start, it adds a line to the file `started`. */
  const SCRIPT = `
const fs = require('node:fs'), crypto = require('node:crypto');
if (process.argv[2] === 'public-key') console.log('${KEY.publicKeyHex}');
else {
  const bytes = fs.readFileSync(0);
  fs.appendFileSync('${path.join(folder, 'started')}', bytes + '\\n');
  const pkcs8 = Buffer.from('302e020100300506032b657004220420${'07'.repeat(32)}', 'hex');
  const key = crypto.createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const sign = () => console.log(crypto.sign(null, bytes, key).toString('hex'));
  const timer = setInterval(() => fs.existsSync('${go}') && (clearInterval(timer), sign()), 20);
}`;
  const started = () => {
    const file = path.join(folder, 'started');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  };

  it('one project uses at most 3 of 4 commands and 16 waiting places; other projects do not wait for it', async () => {
    const script = path.join(folder, 'turns.cjs');
    writeFileSync(script, SCRIPT);
    const program = writeProgram('turns', `exec ${process.execPath} ${script} "$@"`);
    const { signBytes } = await openCommandSigner([program], createVerifySignature());
    const results = Array.from({ length: 40 }, (_, place) => signBytes(Buffer.from(`many ${place}`), 'many'));
    const settled = Promise.allSettled(results);
    await vi.waitFor(() => expect(started()).toHaveLength(3), { timeout: 5_000 });
    const other = signBytes(Buffer.from('other'), 'other');
    await vi.waitFor(() => expect(started()).toContain('other'), { timeout: 5_000 });
    writeFileSync(go, '');
    await other;
    const refused = (await settled).filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(40 - 3 - 16);
    for (const { reason } of refused)
      expect(reason).toMatchObject({
        code: 'Unavailable',
        message: expect.stringContaining('LOG_SIGNER_COMMAND'),
      });
  });
});

describe('the check of the signer', () => {
  const service = 'example.org';
  const provenance = { query: async () => [] } as Partial<Database> as Database;
  const publicKeyHex = '00'.repeat(32);
  const check = (signBytes: () => Promise<Uint8Array>) =>
    checkSigning({ signer: { publicKeyHex, signBytes }, service, provenance }, createVerifySignature());

  it('reports `impaired`, and not `failed`, when the signer fails or does not answer', async () => {
    expect(await check(() => Promise.reject(new Error('no token')))).toBe(
      'impaired: the signer failed: no token',
    );
    expect(await check(() => new Promise(() => undefined))).toBe(
      'impaired: the signer did not answer in time',
    );
  });
});

describe('the next key in a directory', () => {
  it('is not replaced by another key before the rotation ends', async () => {
    const directory = path.join(folder, 'data');
    const [one, two] = ['0b'.repeat(32), '0c'.repeat(32)];
    expect(await openNextKey(directory, one)).toBe(one);
    expect(await openNextKey(directory, undefined)).toBe(one);
    await expect(openNextKey(directory, two)).rejects.toThrow(OpenRotationError);
    expect(await openNextKey(directory, one)).toBe(one);
  });
});
