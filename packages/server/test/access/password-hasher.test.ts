import { createHook } from 'node:async_hooks';
import { scryptSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createPasswordHasher,
  type PasswordHasher,
  type PasswordHasherOptions,
} from '../../src/access/passwords/password-hasher.js';
import { readNiceness } from '../support/thread-niceness.js';

const CHEAP = { costLog2: 4, blockSize: 8, parallelism: 1 };

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-passwords-'));
const opened: PasswordHasher[] = [];
afterEach(() => Promise.all(opened.splice(0).map((hasher) => hasher.close())));
afterAll(() => rmSync(folder, { recursive: true }));

function open(options: Partial<PasswordHasherOptions> = {}): PasswordHasher {
  const hasher = createPasswordHasher({ threads: 1, ...options });
  opened.push(hasher);
  return hasher;
}

describe('the password hasher', () => {
  it('computes no scrypt in the main thread or in the thread pool of Node', async () => {
    const types: string[] = [];
    const hook = createHook({ init: (_id, type) => void types.push(type) }).enable();
    onTestFinished(() => void hook.disable());
    const hasher = open();
    const hash = await hasher.hash('correct horse', CHEAP);
    expect(await hasher.isPassword('correct horse', hash, CHEAP)).toBe(true);
    expect(await hasher.isPassword('correct horse', undefined, CHEAP)).toBe(false);
    expect(types).not.toContain('SCRYPTREQUEST');
    expect(types.filter((type) => type === 'WORKER')).toHaveLength(1);
    // The hook does see a derivation in this thread.
    scryptSync('correct horse', hash.salt, 32);
    expect(types).toContain('SCRYPTREQUEST');
  });

  it.runIf(process.platform === 'linux' && getPriority() < 5)(
    'has a thread with a niceness of 5',
    async () => {
      const before = readNiceness();
      await open().hash('correct horse', CHEAP);
      const added = [...readNiceness()].filter(([id]) => !before.has(id)).map(([, niceness]) => niceness);
      expect(added.filter((niceness) => niceness !== getPriority())).toEqual([5]);
    },
  );

  it('derives the same bytes as scrypt of Node from the NFKC form of the password', async () => {
    const hasher = open();
    const hash = await hasher.hash('\u212Bngstrom', CHEAP);
    const expected = scryptSync('\u00C5ngstrom', hash.salt, 32, { N: 16, r: 8, p: 1 });
    expect(hash).toEqual({ ...CHEAP, salt: expect.any(Buffer), derived: expected });
    expect(hash.salt).toHaveLength(16);
    expect(await hasher.isPassword('A\u030Angstrom', hash, CHEAP)).toBe(true);
    expect(await hasher.isPassword('Angstrom', hash, CHEAP)).toBe(false);
  });

  it('checks a stored hash with its own cost', async () => {
    const hasher = open();
    const hash = await hasher.hash('correct horse', { ...CHEAP, costLog2: 5 });
    expect(await hasher.isPassword('correct horse', hash, CHEAP)).toBe(true);
  });

  it('rejects a running hash with 503 when it is closed', async () => {
    const hasher = open();
    const running = expect(hasher.hash('correct horse', CHEAP)).rejects;
    const failed = running.toMatchObject({ code: 'Unavailable', status: 503 });
    await hasher.close();
    await failed;
  });

  it('waits up to ten minutes for a slow hash', async () => {
    const workerFile = path.join(folder, 'silent.mjs');
    writeFileSync(
      workerFile,
      `import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => {});`,
    );
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let error: unknown;
    const slow = open({ workerFile }).hash('correct horse', CHEAP);
    const ended = slow.catch((reason: unknown) => {
      error = reason;
    });
    vi.advanceTimersByTime(599_000);
    await sleep(500);
    expect(error).toBeUndefined();
    vi.advanceTimersByTime(1_000);
    await ended;
    expect(error).toMatchObject({ code: 'Unavailable' });
  });

  it('rejects with 503 if its thread ends, and continues with another thread', async () => {
    const flag = path.join(folder, 'ended');
    const workerFile = path.join(folder, 'worker.mjs');
    writeFileSync(
      workerFile,
      `import { existsSync, writeFileSync } from 'node:fs';
      import { parentPort } from 'node:worker_threads';
      const flag = ${JSON.stringify(flag)};
      parentPort.on('message', ({ id }) => {
        if (existsSync(flag)) return parentPort.postMessage({ id, answer: new Uint8Array(32) });
        writeFileSync(flag, '');
        process.exit(1);
      });`,
    );
    const hasher = open({ workerFile });
    const lost = hasher.isPassword('correct horse', undefined, CHEAP);
    await expect(lost).rejects.toMatchObject({ code: 'Unavailable', status: 503 });
    expect(await hasher.isPassword('correct horse', undefined, CHEAP)).toBe(false);
  });
});
