import { parseArgs } from 'node:util';
import type { Database } from '../platform/db/database.js';
import { isUuid } from '../platform/uuid-v7.js';
import { changeOrigin, readLogHead } from '../transparency-log/log.sql.js';
import { type Fork, findFork } from '../transparency-log/stored-heads.js';
import { openLogStore } from './open-log-store.js';
import { print } from './print.js';
import { UsageError } from './usage.js';

/**
 * The service never signs two trees with one name, so a log that lost leaves continues under a new name. The operator
 * must stop all nodes first. The size confirms that the operator means this log and this database.
 */
export async function logAcceptLossCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { size: { type: 'string' }, json: { type: 'boolean' } },
  });
  const [projectId = '', ...more] = positionals;
  if (!isUuid(projectId) || more.length > 0)
    throw new UsageError('Run `colophon log accept-loss <project id> --size <leaves of the signed tree>`.');
  const { provenance, store, close } = await openLogStore({ migrates: true });
  try {
    const { origin, size } = await readLogHead(provenance, projectId);
    const fork = await findFork({ store, provenance }, { projectId, origin });
    const signed = fork?.signed ?? null;
    if (typeof signed === 'number' && values.size !== String(signed))
      throw new UsageError(
        `The signed tree has ${signed} leaves, and the log in this database ${size}. Add --size ${signed} to accept the loss.`,
      );
    const present = fork === undefined ? origin : await accept(provenance, fork);
    print({ origin: present, former: origin, size, signed }, { json: values.json, describe });
  } finally {
    await close();
  }
}

/** Gives the log a new name, and returns this name. */
async function accept(provenance: Database, { projectId, origin }: Fork): Promise<string> {
  const renamed = toContinued(origin, new Date());
  await provenance.transaction((tx) => changeOrigin(tx, projectId, renamed), { projectId });
  return renamed;
}

/** The time replaces an earlier time, so the log gets another name after each loss. */
function toContinued(origin: string, at: Date): string {
  const time = at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const renamed = `${origin.replace(/\/continued-\w+$/, '')}/continued-${time}`;
  return renamed === origin ? toContinued(origin, new Date(at.getTime() + 1_000)) : renamed;
}

interface Acceptance {
  origin: string;
  former: string;
  signed: number | 'damaged' | null;
}

function describe({ origin, former, signed }: Acceptance): string {
  if (signed === null)
    return 'No loss was found: the log has all leaves of its stored signed checkpoint, or no signed checkpoint is stored. Nothing was changed.\n';
  const end =
    signed === 'damaged'
      ? 'is no longer used: its signed checkpoint is damaged, and may have had leaves that are not in the database'
      : `is no longer used: its tree of ${signed} leaves is not in the database`;
  return (
    `The log continues as ${origin}. Its former name ${former} ${end}. ` +
    'Receipts that were saved before the loss stay valid under the former name. Tell the readers and the witnesses of the ' +
    'log about the loss, give them the new key text of the log (`colophon log`), then start the nodes.\n'
  );
}
