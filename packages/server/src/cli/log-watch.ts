import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fromBase64, parseTrustedLog, toBase64 } from '@colophon/model';
import { createVerifySignature } from '../access/ed25519.js';
import type { ClientConfig } from '../config/client.js';
import { lockDirectory } from '../platform/db/pglite/directory-lock.js';
import { makeDirectory } from '../platform/files/make-directory.js';
import { readIfPresent, replaceFile } from '../platform/files/text-file.js';
import { openClient, requireClientConfig } from './open-client.js';
import { NotVerifiedError, UsageError } from './usage.js';
import { type AddressState, openAddressState } from './watch/address-state.js';
import {
  LOG_FAULTS,
  type LogFinding,
  readLeaves,
  type WatchDeps,
  type WatchedLog,
} from './watch/check-log.js';
import { openCheckpointHistory } from './watch/checkpoint-history.js';
import { compareTrees } from './watch/compare-trees.js';
import { openKnownKeys, readSignedNote } from './watch/follow-keys.js';
import { formatNote } from './watch/format-note.js';
import { EMPTY_FRONTIER, type LeafFrontier } from './watch/leaf-frontier.js';
import { openNotifier, type WatchNotifier } from './watch/notify-webhook.js';
import { openTileLog } from './watch/tile-log.js';
import { openFilePerLog } from './witness/file-per-log.js';

const DEFAULT_SECONDS = 60;
/** Maximum number of leaf tiles in one round: half of the 80 requests a minute that an API key can send by default. */
const MAX_TILES = 40;

/** Several addresses must show the same log. */
interface Vantage {
  address: string;
  log: WatchedLog;
}

interface OpenVantage extends Vantage {
  state: AddressState;
}

/** Checks repeatedly that a log only grows, and that all addresses show the same log. */
export async function logWatchCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      dir: { type: 'string' },
      key: { type: 'string' },
      from: { type: 'string', multiple: true },
      tiles: { type: 'string', multiple: true },
      interval: { type: 'string', default: String(DEFAULT_SECONDS) },
      once: { type: 'boolean' },
      webhook: { type: 'string' },
      'webhook-secret-file': { type: 'string' },
    },
  });
  const { dir, interval, once } = values;
  if (dir === undefined) throw new UsageError('Run `colophon log watch --dir <directory>`.');
  if (!/^[1-9]\d{0,5}$/.test(interval))
    throw new UsageError('--interval takes a number of seconds from 1 to 999999.');
  const config = requireClientConfig();
  const options = { ...values, tiles: mergeAddresses(positionals, values.tiles) };
  const vantages = openVantages(config, options);
  const notify = await openNotifier({
    url: values.webhook,
    secret: config.webhookSecret,
    secretFile: values['webhook-secret-file'],
  });
  const directory = path.resolve(dir);
  await makeDirectory(directory);
  const lock = await lockDirectory(directory, '--dir');
  try {
    const signer = {
      trusted: await openKey(directory, options, config),
      verify: createVerifySignature(),
    };
    const deps = {
      ...signer,
      keys: await openKnownKeys(directory, signer),
      checkpoints: openFilePerLog(directory),
      history: openCheckpointHistory(path.join(directory, 'history.txt')),
    };
    const opening = vantages.map(async (vantage) => ({
      ...vantage,
      state: await openAddressState(directory, vantage.address),
    }));
    const intervalMs = Number(interval) * 1_000;
    const isOnce = once === true;
    await watch(deps, { directory, notify, vantages: await Promise.all(opening), intervalMs, isOnce });
  } finally {
    lock.release();
  }
}

/** Arguments and `--tiles` have the same meaning. */
function mergeAddresses(positionals: readonly string[], tiles: readonly string[] = []): string[] | undefined {
  const all = [...new Set([...positionals, ...tiles])];
  return all.length === 0 ? undefined : all;
}

/** With `--tiles`, watches the service at COLOPHON_URL only if `--from` names its address. */
function openVantages(
  config: ClientConfig,
  { from = [], tiles = [] }: { from?: string[] | undefined; tiles?: string[] | undefined },
): Vantage[] {
  if (![...from, ...tiles].every((address) => /^https?:/.test(address) && URL.canParse(address)))
    throw new UsageError('The argument, --from and --tiles take an http or https address.');
  const services = tiles.length === 0 ? [config.url, ...from] : from;
  return [
    ...tiles.map((address) => ({ address, log: openTileLog(address) })),
    ...services.map((address) => ({ address, log: openClient({ ...config, url: address }).log })),
  ];
}

/** Never replaces the stored key: each start without `--key` follows the hand-overs from the stored key. */
async function openKey(
  directory: string,
  { key: given, tiles }: { key?: string | undefined; tiles?: string[] | undefined },
  config: ClientConfig,
) {
  const file = path.join(directory, 'log-key');
  const stored = await readIfPresent(file);
  if ((given ?? stored) === undefined && tiles !== undefined)
    throw new UsageError('--tiles needs --key <key of the log> at the first start.');
  const text = given ?? stored ?? (await openClient(config).log.get()).verifierKey;
  const trusted = parseTrustedLog(text.trim());
  if (trusted?.origin === undefined && given === undefined)
    throw new UsageError(`${file} must have a key as \`colophon log\` shows it: <origin>+<key id>+<base64>.`);
  if (trusted?.origin === undefined)
    throw new UsageError('--key must be <origin>+<key id>+<base64>, as `colophon log` shows it.');
  if (stored === undefined) await writeFile(file, `${text.trim()}\n`, { mode: 0o600, flush: true });
  return { ...trusted, origin: trusted.origin };
}

interface Watching extends Omit<Reporting, 'stopping'> {
  vantages: readonly OpenVantage[];
  intervalMs: number;
  isOnce: boolean;
}

/** `directory`: for the file that proves a fault. `stopping` ends the attempts of `notify`. */
interface Reporting {
  directory: string;
  notify: WatchNotifier;
  stopping: AbortSignal;
}

async function watch(deps: WatchDeps, { intervalMs, isOnce, ...watching }: Watching): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  while (!stopping.signal.aborted) {
    for (const [place, vantage] of watching.vantages.entries()) {
      try {
        await checkVantage(deps, vantage, { ...watching, stopping: stopping.signal, isFirst: place === 0 });
      } catch (error) {
        if (isOnce || error instanceof NotVerifiedError) throw error;
        process.stderr.write(`${now()} ${vantage.address}: ${(error as Error).message}\n`);
      }
    }
    if (isOnce) return;
    await sleep(intervalMs, undefined, { signal: stopping.signal }).catch(() => undefined); // rejects when aborted
  }
}

/** Reads leaves only at the first address. */
async function checkVantage(
  deps: WatchDeps,
  { address, log, state }: OpenVantage,
  { isFirst, vantages, ...reporting }: Reporting & { isFirst: boolean; vantages: readonly Vantage[] },
): Promise<void> {
  const { directory } = reporting;
  const { origin } = deps.trusted;
  const others = vantages.filter((one) => one.log !== log).map((one) => one.log);
  const signed = await readSignedNote(deps, log);
  const check =
    'fault' in signed ? signed : await compareTrees(deps, { address, log, others, state }, signed);
  if (check.fault !== undefined)
    throw await report(reporting, { fault: check.fault, origin, address, notes: check.notes });
  const { checkpoint, grew, behind } = check;
  const before = await readFrontier(directory, checkpoint.origin);
  let leaves = '';
  // If `before.size` is larger, earlier rounds have read all leaves of this tree.
  if (isFirst && before.size <= checkpoint.size) {
    const { frontier, fault } = await readLeaves(log, checkpoint, { frontier: before, maxTiles: MAX_TILES });
    if (fault !== undefined)
      throw await report(reporting, { fault, origin, address, notes: [formatNote(checkpoint)] });
    await writeFrontier(directory, checkpoint.origin, frontier);
    leaves = `; ${frontier.size} leaves read`;
  }
  const growth = behind > 0 ? `behind by ${behind}, consistent` : `${grew} new, consistent`;
  process.stdout.write(`${now()} ${address}: ${checkpoint.size} leaves, ${growth}${leaves}\n`);
}

/** Stores the evidence, sends the webhook, and returns the error to throw. */
async function report(
  { directory, notify, stopping }: Reporting,
  finding: LogFinding,
): Promise<NotVerifiedError> {
  const { fault, address, notes } = finding;
  const file = path.join(directory, `evidence-${now().replaceAll(':', '-')}.txt`);
  await writeFile(file, `${fault} at ${address}\n\n${notes.join('\n')}`, { mode: 0o600, flush: true });
  await notify(finding, stopping);
  return new NotVerifiedError(`${address}: ${fault}. ${LOG_FAULTS[fault]} Evidence: ${file}`);
}

const FRONTIER = 'leaves.json';

/** The result is empty if the directory has no frontier of this log. */
async function readFrontier(directory: string, origin: string): Promise<LeafFrontier> {
  const text = await readIfPresent(path.join(directory, FRONTIER));
  if (text === undefined) return EMPTY_FRONTIER;
  const { size, hashes, ...stored } = JSON.parse(text) as { origin: string; size: number; hashes: string[] };
  if (stored.origin !== origin) return EMPTY_FRONTIER;
  return { size, hashes: hashes.map((hash) => fromBase64(hash) ?? new Uint8Array()) };
}

async function writeFrontier(
  directory: string,
  origin: string,
  { size, hashes }: LeafFrontier,
): Promise<void> {
  const text = JSON.stringify({ origin, size, hashes: hashes.map(toBase64) });
  await replaceFile(path.join(directory, FRONTIER), text);
}

const now = () => new Date().toISOString();
