import { verifyKeyHistory } from '@colophon/model';
import { ApiError } from '@colophon/sdk';
import { checkLog, type LogCheck, type WatchDeps, type WatchedLog } from './check-log.js';

/**
 * Checks a log like `checkLog`. When the trusted key did not sign the checkpoint, follows the hand-overs from it, and
 * checks with the present key. The trusted key stays the first one, since each hand-over is a leaf for ever.
 */
export async function checkLogOfKeys(deps: WatchDeps, log: Omit<WatchedLog, 'tile'>): Promise<LogCheck> {
  const check = await checkLog(deps, log);
  if (check.fault !== 'untrustedKey') return check;
  const history = await readHistory(log);
  const report = history === undefined ? undefined : verifyKeyHistory(history, deps.trusted, deps.verify);
  const present = report?.verified ? report.keys.at(-1) : undefined;
  if (present === undefined) return check;
  return checkLog({ ...deps, trusted: { ...present, origin: deps.trusted.origin } }, log);
}

/** Undefined for a log without a key history, and when the service is of an earlier version or has no key. */
async function readHistory({ keys }: Pick<WatchedLog, 'keys'>): Promise<string | undefined> {
  if (keys === undefined) return undefined;
  try {
    return JSON.stringify(await keys());
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NotFound') return undefined;
    throw error;
  }
}
