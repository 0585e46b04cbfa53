import { parseArgs } from 'node:util';
import { readConfig } from '../config.js';
import { NotPromotableError, type Promotion, promoteReplica } from '../platform/db/promote.js';
import { print } from './print.js';
import { NotVerifiedError, UsageError } from './usage.js';

/** `--force` promotes the replica even if a primary seems to run. */
export async function promoteCommand(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: { force: { type: 'boolean', default: false }, json: { type: 'boolean' } },
  });
  const { store } = readConfig();
  if (store.kind !== 'postgresql' || store.replicaUrl === undefined)
    throw new UsageError(
      'Set DATABASE_URL to the primary, and DATABASE_REPLICA_URL to the replica to promote.',
    );
  try {
    const promotion = await promoteReplica({
      primaryUrls: [store.url, store.directUrl].filter((url) => url !== undefined),
      replicaUrl: store.replicaUrl,
      force: values.force,
    });
    print(promotion, { json: values.json, describe });
  } catch (error) {
    throw error instanceof NotPromotableError ? new NotVerifiedError(error.message) : error;
  }
}

function describe({ lsn, timeline, isNew }: Promotion): string {
  const done = isNew
    ? 'The replica replayed all that it had received, and is the primary now'
    : 'This server was promoted before, and accepts writes';
  return `${done} (timeline ${timeline}, from ${lsn}).

Next:
1. Keep the old primary stopped. When it starts again, it accepts writes that the new primary does not get.
2. On all nodes, set DATABASE_URL to this server. If DATABASE_DIRECT_URL is set, also set it to this server. Unset
   DATABASE_REPLICA_URL and DATABASE_REPLICA_STALENESS_MS, and restart the nodes.
3. Run \`colophon log check\`: it lists the logs that lost signed leaves.
4. Create a new replica with pg_basebackup. You can turn the old primary into one with pg_rewind.
`;
}
