import type { CreateSha256, Sha256 } from '@colophon/model';

/** The members of `process` (Node, Deno, Bun) that this module needs. */
interface NodeProcess {
  getBuiltinModule?: (name: string) => { createHash(algorithm: string): Sha256 } | undefined;
}

/**
 * Returns the SHA-256 of Node, Deno or Bun, which is several times faster than JavaScript. Returns undefined in
 * browsers, whose SHA-256 only accepts complete contents. The code does not import `node:crypto`, because every bundler
 * for browsers would have to exclude this import. It calls `getBuiltinModule` instead.
 */
export function nativeSha256(): CreateSha256 | undefined {
  const { process } = globalThis as { process?: NodeProcess };
  const crypto = process?.getBuiltinModule?.('node:crypto');
  return crypto === undefined ? undefined : () => crypto.createHash('sha256');
}
