import path from 'node:path';
import type { SigningKeyLocation } from '../transparency-log/signing-key.js';
import type { Variables } from './variables.js';

/** Nodes with one database must share the key, so the service does not create one in production with DATABASE_URL. */
export function toSigningKeyLocation(read: Variables): SigningKeyLocation {
  const [program, ...rest] = read.LOG_SIGNER_COMMAND?.split(/ +/) ?? [];
  if (program !== undefined) return { kind: 'command', command: [program, ...rest] };
  if (read.SERVER_SIGNING_KEY !== undefined) return { kind: 'given', seedHex: read.SERVER_SIGNING_KEY };
  if (read.NODE_ENV === 'production' && read.DATABASE_URL !== undefined) return { kind: 'none' };
  if (read.DATA_DIR === undefined) return { kind: 'memory' };
  return { kind: 'directory', directory: path.resolve(read.DATA_DIR) };
}
