import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/blobs/memory-store.js';
import type { MediaEngine, SignRequest } from '../../src/media/media-engine.js';
import { createPassTimes } from '../../src/media/pass-times.js';
import type { CredentialDeps } from '../../src/records/credentials/deps.js';
import { signCopy } from '../../src/records/credentials/sign-copy.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-sign-copy-'));
const outputPath = path.join(folder, 'signed');
afterAll(() => rmSync(folder, { recursive: true }));

const CAPACITY_BYTES = 100;

function signWith(blobs: ReturnType<typeof createMemoryStore>, verify: () => Promise<void>) {
  const sign = async ({ onWritten }: SignRequest) => {
    writeFileSync(outputPath, Buffer.alloc(CAPACITY_BYTES));
    onWritten?.();
    await verify();
    return { sizeBytes: CAPACITY_BYTES, summary: {} };
  };
  const engine = { get: async () => ({ sign }) as unknown as MediaEngine, close: async () => {} };
  const credentials = { engine, times: createPassTimes() } as unknown as CredentialDeps;
  return signCopy({ blobs, credentials }, 'a project', { outputPath } as SignRequest);
}

describe('a signed copy', () => {
  it('leaves nothing in the store if its verification fails', async () => {
    const blobs = createMemoryStore(CAPACITY_BYTES);
    const refused = signWith(blobs, () => Promise.reject(new Error('not valid')));
    await expect(refused).rejects.toThrow('not valid');
    const writer = await blobs.createWriter('a project');
    await expect(writer.write(Buffer.alloc(CAPACITY_BYTES))).resolves.toBeUndefined();
  });

  it('that does not fit in the store is rejected with the error of the store', async () => {
    const refused = signWith(createMemoryStore(CAPACITY_BYTES - 1), () => Promise.resolve());
    await expect(refused).rejects.toMatchObject({ code: 'PayloadTooLarge' });
  });
});
