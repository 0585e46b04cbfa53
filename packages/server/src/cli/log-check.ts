import { parseArgs } from 'node:util';
import { type Fork, findForks } from '../transparency-log/stored-heads.js';
import { openLogStore } from './open-log-store.js';
import { print, toTable } from './print.js';
import { NotVerifiedError } from './usage.js';

/** Compares each log with its newest signed checkpoint, which is in the store for bytes. */
export async function logCheckCommand(argv: string[]): Promise<void> {
  const { values } = parseArgs({ args: argv, options: { json: { type: 'boolean' } } });
  const { control, provenance, store, close } = await openLogStore({ migrates: false });
  try {
    const found = await findForks({ control, provenance, store });
    print(found, { json: values.json, describe: describeForks });
    if (found.forks.length > 0)
      throw new NotVerifiedError(`${found.forks.length} logs do not continue their signed checkpoints.`);
  } finally {
    await close();
  }
}

export function describeForks({ logs, forks }: { logs: number; forks: readonly Fork[] }): string {
  if (forks.length === 0) return `${logs} logs have all leaves of their stored signed checkpoints.\n`;
  const table = toTable(forks, [
    { head: 'PROJECT', of: ({ projectId }) => projectId },
    { head: 'LEAVES', of: ({ size }) => size },
    { head: 'SIGNED', of: ({ signed }) => signed },
  ]);
  return (
    `${table}\nThe service does not sign these logs. Restore a newer database. If the records are lost, continue each ` +
    'log with `colophon log accept-loss <project> --size <SIGNED>`.\n'
  );
}
