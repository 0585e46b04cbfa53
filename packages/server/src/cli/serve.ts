import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { createNamedProjectKey } from '../access/create-key.js';
import { createContext } from '../compose.js';
import { type Config, environmentFile } from '../config.js';
import type { Context } from '../context.js';
import { hasApiKeys } from '../control/api-keys.sql.js';
import { countUnlimitedProjects, updateProjectRow } from '../management/projects.sql.js';
import { inviteFirstAccount } from '../management/sessions/invite-member.js';
import { copyListener } from '../platform/net/copy-listener.js';
import { collectWhenIdle } from '../platform/threads/collect-when-idle.js';
import { writeBanner } from './banner.js';

/** Maximum time for open requests after the signal to stop. */
const DRAIN_MS = 10_000;

/** The heap may grow by 50 % before V8 collects garbage. By default, 40 MB grow to hundreds of MB. */
const HEAP_GROWTH = '--heap-growing-percent=50';

const UNLIMITED =
  'some projects have no limit for stored bytes, records or requests a month: set limits with PUT /management/projects/:id';

const NO_COPIES = 'a burst of connections may wait longer, because the listening socket could not be copied';

/** SIGTERM and SIGINT close the service. Open requests then have `DRAIN_MS` to end. */
export async function serve(config: Config): Promise<Context> {
  setFlagsFromString(HEAP_GROWTH);
  collectWhenIdle();
  const context = await createContext(config);
  const file = environmentFile();
  if (file !== undefined)
    context.logger.info({ file }, 'this file sets the variables that the environment does not set');
  if (config.ignoredVariables.length > 0) {
    context.logger.warn(
      { variables: config.ignoredVariables },
      'these variables have no effect in this version',
    );
  }
  if (config.production) {
    const projects = await countUnlimitedProjects(context.databases.control);
    if (projects > 0) context.logger.warn({ projects }, UNLIMITED);
  }
  const firstKey = await createFirstKey(context);
  const { production, signIn } = config;
  const firstAccountPath =
    production || !signIn.localAccounts ? undefined : await inviteFirstAccount(context.databases.control);
  await context.app.listen({ host: config.host, port: config.port });
  // Without copies, the service accepts connections more slowly.
  copyListener(context.app.server).catch((err: unknown) => context.logger.warn({ err }, NO_COPIES));
  await context.adminApp?.listen({ host: config.host, port: config.adminPort ?? 0 });
  const { port } = context.app.server.address() as AddressInfo;
  if (!config.production) {
    const firstToken = firstKey === undefined ? undefined : context.firstKeyHandover.offer(firstKey);
    process.stdout.write(writeBanner(config, { port, firstKey, firstToken, firstAccountPath }));
    if (firstAccountPath !== undefined) {
      context.logger.info(
        'this start printed the link that creates the first account; links of earlier starts no longer work',
      );
    }
  }
  closeOnSignal(context);
  return context;
}

/** Does nothing in production, or if a key exists. */
async function createFirstKey({ config, databases }: Context): Promise<string | undefined> {
  if (config.production || config.staticKeys.length > 0 || (await hasApiKeys(databases.control)))
    return undefined;
  const options = { projectName: 'default', name: 'first key', permission: 'admin' } as const;
  const { key, row } = await createNamedProjectKey(databases.control, options);
  await databases.control.transaction((tx) => updateProjectRow(tx, row.projectId, { publicChecks: true }));
  return key;
}

function closeOnSignal(context: Context): void {
  const end = () => {
    context.logger.info('closing');
    // After `DRAIN_MS`, disconnects callers that still send or read.
    const servers = [context.app.server, context.adminApp?.server];
    setTimeout(() => servers.map((server) => server?.closeAllConnections()), DRAIN_MS).unref();
    context.close().then(
      () => process.exit(0),
      (err: unknown) => {
        context.logger.error({ err }, 'the service did not close cleanly');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}
