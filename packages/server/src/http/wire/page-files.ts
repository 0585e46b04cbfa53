import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyReply } from 'fastify';
import { type SharedAnswer, sendShared, toSharedAnswer } from './shared-answer.js';

export interface PageFiles {
  /** Responds with 404 for an unknown name. `cache`: value of `Cache-Control`. */
  send(reply: FastifyReply, file: { name: string; cache: string }): Promise<FastifyReply>;
  /** Returns undefined when there is no such file. */
  readText(name: string): Promise<string | undefined>;
  /** Does the same as `readText`, but does not keep the file in memory. */
  readUnkept(name: string): Promise<string | undefined>;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};
const COMPRESSED = /\.(br|gz)$/;

/** Opens the files of a folder, which must not change while the process runs. Responses share the bytes in memory. */
export async function openPageFiles(folder: string): Promise<PageFiles> {
  const names = new Set(await listNames(folder));
  const files = new Map<string, Promise<SharedAnswer>>();

  async function readShared(name: string): Promise<SharedAnswer> {
    const read = (file: string) => (names.has(file) ? readFile(path.join(folder, file)) : undefined);
    const [identity, br, gzip] = await Promise.all([
      readFile(path.join(folder, name)),
      read(`${name}.br`),
      read(`${name}.gz`),
    ]);
    return toSharedAnswer({ identity, br, gzip });
  }

  function openFile(name: string): Promise<SharedAnswer> {
    const known = files.get(name);
    if (known !== undefined) return known;
    const file = readShared(name);
    files.set(name, file);
    file.catch(() => files.delete(name)); // The next request tries again.
    return file;
  }

  return {
    async send(reply, { name, cache }) {
      if (!names.has(name) || COMPRESSED.test(name)) {
        reply.callNotFound();
        return reply;
      }
      const mediaType = MEDIA_TYPES[path.extname(name)] ?? 'application/octet-stream';
      return sendShared(reply, await openFile(name), { mediaType, cache, isCounted: false });
    },
    readText: async (name) =>
      names.has(name) ? (await openFile(name)).identity.bytes.toString() : undefined,
    readUnkept: async (name) => (names.has(name) ? readFile(path.join(folder, name), 'utf8') : undefined),
  };
}

/** Without a build of the page, the folder does not exist. */
async function listNames(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
}
