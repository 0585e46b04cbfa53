import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { type ContentHasher, createContentHasher } from '@colophon/model';
import type { FromHashThread, ToHashThread } from './protocol.js';

const hashers = new Map<number, ContentHasher>();

function hasherOf(stream: number): ContentHasher {
  const hasher = hashers.get(stream) ?? createContentHasher({ createSha256: () => createHash('sha256') });
  hashers.set(stream, hasher);
  return hasher;
}

function send(message: FromHashThread, blocks: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, blocks);
}

parentPort?.on('message', (message: ToHashThread) => {
  const { kind, stream } = message;
  if (kind === 'update') {
    const { block, sizeBytes } = message;
    hasherOf(stream).update(new Uint8Array(block, 0, sizeBytes));
    send({ kind: 'hashed', stream, block }, [block]);
    return;
  }
  if (kind === 'finish') send({ kind: 'finished', stream, digests: hasherOf(stream).finish() });
  hashers.delete(stream);
});
