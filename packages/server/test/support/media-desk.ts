import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMediaEngine, type MediaEngineOptions } from '../../src/media/create-media-engine.js';
import type { MediaEngine, ReadOutcome, SignRequest } from '../../src/media/media-engine.js';
import { define } from './manifests.js';
import { openScheduler } from './scheduler.js';
import { signAndRead } from './sign-and-read.js';
import { makeSigner } from './signers.js';

/** Signs and reads media for tests that have bytes instead of files. */
export interface MediaDesk {
  engine: MediaEngine;
  newPath(): string;
  write(bytes: Uint8Array): string;
  read(bytes: Uint8Array, mediaType: string, trustAnchorsPem?: string): Promise<ReadOutcome>;
  /** Throws for a file without a manifest. */
  readStore(
    bytes: Uint8Array,
    mediaType: string,
    trustAnchorsPem?: string,
  ): Promise<ReadOutcome & { kind: 'store' }>;
  sign(
    bytes: Uint8Array,
    mediaType: string,
    wanted?: Partial<SignRequest>,
  ): Promise<Awaited<ReturnType<typeof signAndRead>> & { signed: Buffer }>;
  close(): Promise<void>;
}

export async function openMediaDesk(options: Partial<MediaEngineOptions> = {}): Promise<MediaDesk> {
  const engine = await createMediaEngine({
    maxBytes: 2 ** 24,
    timeoutMs: 30_000,
    scheduler: openScheduler({ media: 3 }),
    ...options,
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-media-'));
  const signer = makeSigner();
  let made = 0;
  const newPath = () => {
    made += 1;
    return path.join(folder, String(made));
  };
  const write = (bytes: Uint8Array) => {
    const target = newPath();
    writeFileSync(target, bytes);
    return target;
  };
  const read: MediaDesk['read'] = (bytes, mediaType, trustAnchorsPem) =>
    engine.read({ path: write(bytes), mediaType, ...(trustAnchorsPem ? { trustAnchorsPem } : {}) });
  return {
    engine,
    newPath,
    write,
    read,
    async readStore(...source) {
      const outcome = await read(...source);
      if (outcome.kind !== 'store') throw new Error(`read as ${JSON.stringify(outcome)}`);
      return outcome;
    },
    async sign(bytes, mediaType, wanted = {}) {
      const outputPath = wanted.outputPath ?? newPath();
      const request = { path: write(bytes), mediaType, definition: define(), ingredients: [], signer };
      const outcome = await signAndRead(engine, { ...request, ...wanted, outputPath });
      return { ...outcome, signed: readFileSync(outputPath) };
    },
    async close() {
      await engine.close();
      rmSync(folder, { recursive: true });
    },
  };
}
