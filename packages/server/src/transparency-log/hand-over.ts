import { type HandoverStatement, handoverDigest, handoverText, toBase64 } from '@colophon/model';
import type { Database } from '../platform/db/database.js';
import { OtherLogKeyError } from './adopt-key.js';
import {
  adoptFirstKey,
  appendHandovers,
  changeKey,
  type KeyChange,
  listKeys,
  listLogsWithoutHandover,
} from './log-keys.sql.js';
import { type LogSigner, SIGNING_CALLERS } from './log-signer.js';

const LOGS_AT_ONCE = 500;

/** The new key was a key of the logs before. A verifier could not distinguish its two periods of use. */
export class UsedKeyError extends Error {
  constructor(publicKeyHex: string) {
    super(`The key ${publicKeyHex} has signed the logs before. Use a new key`);
    this.name = 'UsedKeyError';
  }
}

/**
 * Replaces the key `former` of the logs with the key `next`. Both keys sign a hand-over statement, which becomes a leaf
 * of each log that has leaves. Returns the number of logs that got the leaf. After an interruption, call this function
 * again. Rejects with OtherLogKeyError if the present key is neither `former` nor `next`, and with UsedKeyError if
 * `next` is an earlier key.
 */
export async function handOver(
  db: Database,
  { former, next }: { former: LogSigner; next: LogSigner },
): Promise<number> {
  const from = former.publicKeyHex;
  const to = next.publicKeyHex;
  const present = await adoptFirstKey(db, from);
  if (present !== to) {
    if (present !== from) throw new OtherLogKeyError(present, from);
    await change(db, { from, to, signed: await signHandover({ former, next }) });
  }
  return appendEverywhere(db);
}

export async function replaceLostKey(db: Database, to: string): Promise<void> {
  const present = await adoptFirstKey(db, to);
  if (present !== to) await change(db, { from: present, to, signed: undefined });
}

async function change(db: Database, keys: KeyChange): Promise<void> {
  const known = await listKeys(db);
  if (known.some(({ publicKeyHex }) => publicKeyHex === keys.to)) throw new UsedKeyError(keys.to);
  if (await db.transaction((tx) => changeKey(tx, keys))) return;
  throw new Error('Another process changed the key of the logs at the same time. Run the command again');
}

async function signHandover({ former, next }: { former: LogSigner; next: LogSigner }) {
  const [from, to] = [former, next].map(({ publicKeyHex }) => toBase64(Buffer.from(publicKeyHex, 'hex')));
  const statement: HandoverStatement = { version: 1, kind: 'handover', from: from ?? '', to: to ?? '' };
  const message = Buffer.from(handoverText(statement));
  const signatures = {
    from: toBase64(await former.signBytes(message, SIGNING_CALLERS.handover)),
    to: toBase64(await next.signBytes(message, SIGNING_CALLERS.handover)),
  };
  return { handover: { statement, signatures }, digest: handoverDigest(statement) };
}

async function appendEverywhere(db: Database): Promise<number> {
  let appended = 0;
  for (;;) {
    const logs = await listLogsWithoutHandover(db, LOGS_AT_ONCE);
    if (logs.length === 0) return appended;
    for (const projectId of logs) {
      await db.transaction((tx) => appendHandovers(tx, projectId));
      appended++;
    }
  }
}
