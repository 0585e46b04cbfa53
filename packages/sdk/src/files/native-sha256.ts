import type { CreateSha256, Sha256 } from '@colophon/model';

/** The used members of `process` (Node, Deno, Bun). */
interface NodeProcess {
  getBuiltinModule?: (name: string) => { createHash(algorithm: string): Sha256 } | undefined;
}

/**
 * Returns the native SHA-256, which is several times faster; undefined in browsers. Uses `getBuiltinModule`, so that
 * bundlers for browsers do not have to exclude an import of `node:crypto`.
 */
export function nativeSha256(): CreateSha256 | undefined {
  const { process } = globalThis as { process?: NodeProcess };
  const crypto = process?.getBuiltinModule?.('node:crypto');
  return crypto === undefined ? undefined : () => crypto.createHash('sha256');
}
