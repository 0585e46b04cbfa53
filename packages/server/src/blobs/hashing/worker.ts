import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
// Imports only this module, because each garbage collection of this thread would scan the code of the complete model.
import { type ContentHasher, createContentHasher } from '@colophon/model/content-hasher';
import type { FromHashThread, ToHashThread } from './protocol.js';

const hashers = new Map<number, ContentHasher>();

function hasherOf(stream: number): ContentHasher {
  const hasher = hashers.get(stream) ?? createContentHasher({ createSha256: () => createHash('sha256') });
  hashers.set(stream, hasher);
  return hasher;
}

function send(message: FromHashThread): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', (message: ToHashThread) => {
  const { kind, stream } = message;
  if (kind === 'update') {
    const hasher = hasherOf(stream);
    for (const chunk of message.chunks) hasher.update(chunk);
    send({ kind: 'hashed', stream });
    return;
  }
  if (kind === 'finish') send({ kind: 'finished', stream, digests: hasherOf(stream).finish() });
  hashers.delete(stream);
});
