import { parseArgs } from 'node:util';
import { createSigner, createVerifySignature } from '../access/ed25519.js';
import { variables } from '../config/variables.js';
import { type Config, readConfig } from '../config.js';
import { type Databases, openDatabases } from '../platform/db/open-databases.js';
import { OtherLogKeyError } from '../transparency-log/adopt-key.js';
import { openCommandSigner } from '../transparency-log/command-signer.js';
import { handOver, replaceLostKey, UsedKeyError } from '../transparency-log/hand-over.js';
import { type LogSigner, toLogSigner } from '../transparency-log/log-signer.js';
import { openLogSigner } from '../transparency-log/open-signer.js';
import {
  installNextKey,
  OpenRotationError,
  openNextKey,
  type SigningKeyLocation,
} from '../transparency-log/signing-key.js';
import { print } from './print.js';
import { readSeed } from './signing-key.js';
import { UsageError } from './usage.js';

interface RotateOptions {
  'new-key-file'?: string | undefined;
  'new-signer-command'?: string | undefined;
  'former-key-lost'?: boolean | undefined;
}

/** `logs`: number of logs to which the hand-over was appended. */
interface Rotation {
  formerKey: string | null;
  newKey: string;
  logs: number;
  next: string;
}

const DEPS = { createSigner, verify: createVerifySignature() };

/** Both keys sign the hand-over. If the former key is lost, there is no hand-over. */
export async function logRotateKeyCommand(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      'new-key-file': { type: 'string' },
      'new-signer-command': { type: 'string' },
      'former-key-lost': { type: 'boolean' },
      json: { type: 'boolean' },
    },
  });
  const { logKey, store } = readConfig();
  if (store.kind === 'memory' || logKey.kind === 'memory')
    throw new UsageError('The key is only in memory. Set DATA_DIR, or DATABASE_URL and SERVER_SIGNING_KEY.');
  if (logKey.kind === 'none')
    throw new UsageError('No log key is configured. Set SERVER_SIGNING_KEY or LOG_SIGNER_COMMAND.');
  assertOptions(values, logKey);
  const databases = await openDatabases(store);
  try {
    const rotation = await rotate(databases, logKey, values).catch((error: unknown) => {
      throw toUsage(error);
    });
    print(rotation, { json: values.json, describe });
  } finally {
    await databases.close();
  }
}

function assertOptions(options: RotateOptions, logKey: SigningKeyLocation): void {
  const { 'new-key-file': file, 'new-signer-command': command, 'former-key-lost': isLost } = options;
  const given = [file, command, isLost].filter((option) => option !== undefined).length;
  if (given > 1)
    throw new UsageError('Give only one of --new-key-file, --new-signer-command and --former-key-lost.');
  if (given === 0 && logKey.kind !== 'directory')
    throw new UsageError('Give --new-key-file <file>. `colophon sign --new <file>` writes such a file.');
}

async function rotate(
  { provenance }: Databases,
  logKey: Config['logKey'],
  options: RotateOptions,
): Promise<Rotation> {
  const configured = await openLogSigner(logKey, DEPS);
  if (configured === undefined) throw new UsageError('The present key of the logs is not configured.');
  if (options['former-key-lost']) {
    await replaceLostKey(provenance, configured.publicKeyHex);
    const next = 'Start the service. Give the new key to the readers of each log: `colophon log`.';
    return { formerKey: null, newKey: configured.publicKeyHex, logs: 0, next };
  }
  const { signer, install, next } = await openNext(logKey, options);
  const logs = await handOver(provenance, { former: configured, next: signer });
  await install();
  return { formerKey: configured.publicKeyHex, newKey: signer.publicKeyHex, logs, next };
}

/** `install` makes a key in DATA_DIR the present key. `next`: the next step for the operator. */
interface NextKey {
  signer: LogSigner;
  install: () => Promise<void>;
  next: string;
}

async function openNext(logKey: Config['logKey'], options: RotateOptions): Promise<NextKey> {
  const { 'new-key-file': file, 'new-signer-command': command } = options;
  const install = async () => {};
  if (command !== undefined) {
    const signer = await openCommandSigner(parseCommand(command), DEPS.verify);
    return {
      signer,
      install,
      next: `Set LOG_SIGNER_COMMAND="${command}" on every node, and restart all nodes.`,
    };
  }
  const given = file === undefined ? undefined : await readSeed(file);
  if (logKey.kind === 'directory') {
    const { directory } = logKey;
    const signer = toLogSigner(createSigner(await openNextKey(directory, given)));
    const next = 'Start the service. DATA_DIR has the new key, and the former key in log-signing-key.former.';
    return { signer, install: () => installNextKey(directory), next };
  }
  const signer = toLogSigner(createSigner(given ?? ''));
  const unset = logKey.kind === 'command' ? ', unset LOG_SIGNER_COMMAND' : '';
  const next = `Set SERVER_SIGNING_KEY to the key in ${file} on every node${unset}, and restart them.`;
  return { signer, install, next };
}

function parseCommand(text: string): [string, ...string[]] {
  const parsed = variables.shape.LOG_SIGNER_COMMAND.safeParse(text);
  const [program, ...rest] = parsed.success ? (parsed.data?.split(/ +/) ?? []) : [];
  if (program === undefined)
    throw new UsageError(`--new-signer-command ${parsed.error?.issues[0]?.message ?? 'must be a command'}.`);
  return [program, ...rest];
}

function toUsage(error: unknown): unknown {
  if (error instanceof UsedKeyError) return new UsageError(`${error.message}.`);
  if (error instanceof OpenRotationError)
    return new UsageError(
      `${error.message}. Run \`colophon log rotate-key\` without --new-key-file to finish it.`,
    );
  if (!(error instanceof OtherLogKeyError)) return error;
  return new UsageError(
    `${error.message}. Configure the present key of the logs, and run this command again.`,
  );
}

function describe({ formerKey, newKey, logs, next }: Rotation): string {
  const former = formerKey === null ? '' : `former key  ${formerKey}\n`;
  const appended = `appended as a leaf to ${logs} ${logs === 1 ? 'log' : 'logs'}`;
  return `${former}new key     ${newKey}\nhand-over   ${appended}\n${next}\n`;
}
