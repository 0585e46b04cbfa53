import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseTrustedLog, type TrustedLog } from '@colophon/model';
import { UsageError } from './usage.js';
import { createAddCheckpoint } from './witness/add-checkpoint.js';
import { createWitnessServer } from './witness/http-server.js';
import { openWitness } from './witness/open-witness.js';

const DEFAULT_PORT = 3003;
/** High, because a service with many logs sends a request for each log that grew. */
const LIMIT_PER_MINUTE = 6_000;

/** `colophon witness`: cosigns the checkpoints of each named log while this log only grows. */
export async function witnessCommand(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      log: { type: 'string', multiple: true },
      dir: { type: 'string' },
      name: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string' },
      'limit-per-minute': { type: 'string' },
    },
  });
  const { log = [], dir, name, host, port } = values;
  if (dir === undefined || log.length === 0)
    throw new UsageError('Run `colophon witness --log <key> --dir <directory>`.');
  if (name !== undefined && !/^[^\s+]+$/u.test(name))
    throw new UsageError('--name must not contain blanks or plus signs. Example: witness.example.org/one.');
  const { witness, verifierKey, close } = await openWitness({
    directory: path.resolve(dir),
    name,
    defaultName: `${hostname()}/witness`,
    logs: toLogs(log),
  });
  const server = createWitnessServer({
    addCheckpoint: createAddCheckpoint(witness),
    limitPerMinute: readNumber('--limit-per-minute', values['limit-per-minute'], LIMIT_PER_MINUTE),
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

/** Several keys can have one origin, for example before and after the change of a log's key. */
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

function readNumber(option: string, text: string | undefined, byDefault: number): number {
  if (text === undefined) return byDefault;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new UsageError(`${option} takes 0 to 65535.`);
  return Number(text);
}
