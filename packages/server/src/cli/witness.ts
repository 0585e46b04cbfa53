import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type CosignatureAlgorithm, parseTrustedLog, type TrustedLog } from '@colophon/model';
import { trustProxy } from '../config/variables.js';
import { createClientAddress } from '../platform/net/client-address.js';
import { UsageError } from './usage.js';
import { createAddCheckpoint } from './witness/add-checkpoint.js';
import { createWitnessServer } from './witness/http-server.js';
import { openWitness } from './witness/open-witness.js';

const DEFAULT_PORT = 3003;
/** Requests of one client for one log in a minute. A service sends one or two per `WITNESS_INTERVAL`. */
const LIMIT_PER_MINUTE = 600;
/** Limit of one client for all logs together, as a multiple of its limit for one log. */
const CLIENT_FACTOR = 10;
/** Limit of all clients together, as a multiple of the limit of one client for one log. */
const ALL_FACTOR = 100;

export async function witnessCommand(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      log: { type: 'string', multiple: true },
      dir: { type: 'string' },
      name: { type: 'string' },
      algorithm: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string' },
      'limit-per-minute': { type: 'string' },
      'trust-proxy': { type: 'string' },
    },
  });
  const { log = [], dir, name, algorithm, host, port } = values;
  if (dir === undefined || log.length === 0)
    throw new UsageError('Run `colophon witness --log <key> --dir <directory>`.');
  if (name !== undefined && !/^[^\s+]+$/u.test(name))
    throw new UsageError('--name must not contain blanks or plus signs. Example: witness.example.org/one.');
  const limit = readNumber('--limit-per-minute', values['limit-per-minute'], LIMIT_PER_MINUTE);
  const clientOf = readClientOf(values['trust-proxy']);
  const { witness, verifierKey, close } = await openWitness({
    directory: path.resolve(dir),
    name,
    algorithm: readAlgorithm(algorithm),
    defaultName: `${hostname()}/witness`,
    logs: toLogs(log),
    limitPerMinute: limit,
  });
  const server = createWitnessServer({
    addCheckpoint: createAddCheckpoint(witness),
    limitsPerMinute: { byClient: limit * CLIENT_FACTOR, all: limit * ALL_FACTOR },
    clientOf,
    reportFailure: (error) =>
      process.stderr.write(`Failed: ${error instanceof Error ? error.message : error}\n`),
  });
  server.listen(readNumber('--port', port, DEFAULT_PORT), host);
  await once(server, 'listening');
  const { port: actual } = server.address() as AddressInfo;
  const address = host.includes(':') ? `[${host}]` : host;
  process.stdout.write(`key      ${verifierKey}\naddress  http://${address}:${actual}\n`);
  const end = () => {
    server.close(close);
    server.closeIdleConnections();
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}

/** Returns undefined without the option: the key in the directory then sets the algorithm. */
function readAlgorithm(text: string | undefined): CosignatureAlgorithm | undefined {
  if (text === undefined || text === 'ed25519' || text === 'ml-dsa-44') return text;
  throw new UsageError('--algorithm takes ed25519 or ml-dsa-44.');
}

/** Keys can have the same origin, for example before and after a change of the log's key. */
function toLogs(keys: readonly string[]): Map<string, TrustedLog[]> {
  const logs = new Map<string, TrustedLog[]>();
  for (const key of keys) {
    const log = parseTrustedLog(key);
    if (log?.origin === undefined)
      throw new UsageError(
        `--log ${key} is malformed. Pass <origin>+<key id>+<base64>, as \`colophon log\` shows it.`,
      );
    logs.set(log.origin, [...(logs.get(log.origin) ?? []), log]);
  }
  return logs;
}

function readClientOf(text: string | undefined): ReturnType<typeof createClientAddress> | undefined {
  if (text === undefined) return undefined;
  const trusted = trustProxy.safeParse(text);
  if (trusted.success) return createClientAddress(trusted.data);
  throw new UsageError(`--trust-proxy ${trusted.error.issues[0]?.message}.`);
}

function readNumber(option: string, text: string | undefined, byDefault: number): number {
  if (text === undefined) return byDefault;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new UsageError(`${option} takes 0 to 65535.`);
  return Number(text);
}
