import path from 'node:path';
import type { SigningKeyLocation } from '../transparency-log/signing-key.js';
import type { Variables } from './variables.js';

/**
 * Nodes with one database must share the signing key. So in production with DATABASE_URL, the key comes only from
 * SERVER_SIGNING_KEY or LOG_SIGNER_COMMAND. Without these variables, the service does not sign the log.
 */
export function toSigningKeyLocation(read: Variables): SigningKeyLocation {
  const [program, ...rest] = read.LOG_SIGNER_COMMAND?.split(/ +/) ?? [];
  if (program !== undefined) return { kind: 'command', command: [program, ...rest] };
  if (read.SERVER_SIGNING_KEY !== undefined) return { kind: 'given', seedHex: read.SERVER_SIGNING_KEY };
  if (read.NODE_ENV === 'production' && read.DATABASE_URL !== undefined) return { kind: 'none' };
  if (read.DATA_DIR === undefined) return { kind: 'memory' };
  return { kind: 'directory', directory: path.resolve(read.DATA_DIR) };
}
