import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { readGivenClientConfig, requireLoginFile } from '../config.js';
import { openClient } from './open-client.js';
import { UsageError } from './usage.js';

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Checks that the service accepts the key, and then stores it. */
export async function loginCommand(argv: string[]): Promise<void> {
  const { positionals } = parseArgs({ args: argv, allowPositionals: true });
  const [address, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError('Run `colophon login <address>`.');
  const given = readGivenClientConfig(address);
  const apiKey = given.apiKey ?? (await readKey());
  await openClient({ ...given, apiKey }).log.get();
  const file = requireLoginFile();
  await mkdir(path.dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
  // Writes a new file and renames it, because an existing file would keep its mode.
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify({ url: given.url, apiKey })}\n`, {
    mode: PRIVATE_FILE,
    flag: 'wx',
  });
  await rename(temporary, file);
  process.stdout.write(`The key for ${given.url} is in ${file}, which only you can read.\n`);
}

/** Standard input keeps the key out of process lists and the shell history. */
async function readKey(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('API key, then Ctrl-D: ');
  const key = (await text(process.stdin)).trim();
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError('Give the API key on standard input, or in COLOPHON_API_KEY.');
  return key;
}
