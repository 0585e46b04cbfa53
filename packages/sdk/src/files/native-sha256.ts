import type { CreateSha256, Sha256 } from '@colophon/model';

/** The part of Node's `process` that this needs; Deno and Bun have it too. */
interface NodeProcess {
  getBuiltinModule?: (name: string) => { createHash(algorithm: string): Sha256 } | undefined;
}

/**
 * The runtime's own SHA-256, which is several times faster than JavaScript; undefined in browsers, whose own takes whole
 * contents only. `getBuiltinModule` instead of an import, which every bundler for browsers would have to leave out.
 */
export function nativeSha256(): CreateSha256 | undefined {
  const { process } = globalThis as { process?: NodeProcess };
  const crypto = process?.getBuiltinModule?.('node:crypto');
  return crypto === undefined ? undefined : () => crypto.createHash('sha256');
}
