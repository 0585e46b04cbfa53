import type { RecordKind, Timestamp } from '@colophon/model';
import type { TransparencyLogDeps } from '../../transparency-log/deps.js';
import { mayProve } from '../../transparency-log/former-name.js';
import { readLoggedRecord } from '../../transparency-log/log.sql.js';
import { proveLeaf } from '../../transparency-log/prove.js';
import { readStampedHead } from './timestamps.sql.js';

/** `unstamped`: no time-stamp covers the record yet, or `mayProve` forbids the proof. */
export type ReadTimestamp = { timestamp: Timestamp } | { reason: 'absent' | 'unstamped' };

/** Returns the earliest time-stamp that covers a record, with the proof from the record to the stamped root. */
export async function readTimestamp(
  deps: TransparencyLogDeps,
  projectId: string,
  { signal, ...named }: { kind: RecordKind; id: string; signal?: AbortSignal | undefined },
): Promise<ReadTimestamp> {
  const record = await readLoggedRecord(deps.provenance, projectId, named);
  if (record === undefined) return { reason: 'absent' };
  const stamped = await readStampedHead(deps.provenance, projectId, record.leafIndex);
  const present = record.origin;
  if (stamped === undefined || !(await mayProve(deps, { projectId, present }, stamped)))
    return { reason: 'unstamped' };
  const { size, origin, place, path, rootHex, heads, tokenHex } = stamped;
  const digest = `sha256:${record.digest}`;
  const log = await proveLeaf(deps, projectId, {
    ...{ leafIndex: record.leafIndex, digest, size, origin, signal },
  });
  return {
    timestamp: {
      ...{ version: 1, digest, log },
      heads: { index: place, size: heads, path },
      root: Buffer.from(rootHex, 'hex').toString('base64'),
      token: Buffer.from(tokenHex, 'hex').toString('base64'),
    },
  };
}
