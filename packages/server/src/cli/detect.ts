import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Detection, DetectionCheck, DetectionLayer } from '@colophon/model';
import { ApiError, type Client, type Content } from '@colophon/sdk';
import { listFiles } from './list-files.js';
import { openVisitor } from './open-client.js';
import { fileNameOf, type OpenedFile, openFile, STDIN, UnreadableError } from './open-file.js';
import { print, withoutBreaks } from './print.js';
import { NotVerifiedError, UsageError } from './usage.js';

interface Detected extends Detection {
  file: string;
}

/** The command still checks the other files. */
interface UncheckedFile {
  file: string;
  error: { code: string; message: string; recovery?: string };
}

type DetectOutcome = Detected | UncheckedFile;

/** Maximum number of repeated requests for one file. */
const MAX_RETRIES = 5;
/** Status codes of errors that may concern only one file. After any other error, the command ends. */
const STATUSES_OF_A_FILE = [400, 408, 413, 415, 422, 429, 500, 503, 504];

export async function detectCommand(argv: string[]): Promise<void> {
  const { values, positionals: names } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { report: { type: 'string' }, json: { type: 'boolean' } },
  });
  const { report, json } = values;
  if (names.length === 0) throw new UsageError('Run `colophon detect <file>...`.');
  const files = await listFiles(names);
  const [first] = files;
  if (first === undefined) throw new UsageError(`${names.join(', ')} has no files. Name a file.`);
  const client = openVisitor();
  if (files.length === 1 && first === names[0]) return detectOne(client, first, { report, json });
  if (report !== undefined)
    throw new UsageError('--report takes one file. Run the command once for each file.');
  assertComplete(await detectMany(client, files, json === true));
}

async function detectOne(
  client: Client,
  file: string,
  { report, json }: { report: string | undefined; json: boolean | undefined },
): Promise<void> {
  const detection = await detect(client, file, 'sending');
  if (report !== undefined)
    await writeFile(report, `${JSON.stringify(detection.report, null, 2)}\n`, { flag: 'wx' });
  print(detection, { json, describe });
  if (detection.layers.length === 0) throw new NotVerifiedError('The detector found no mark in the file.');
}

/** Prints each result as soon as it is available. */
async function detectMany(
  client: Client,
  files: readonly string[],
  isJson: boolean,
): Promise<DetectOutcome[]> {
  const outcomes: DetectOutcome[] = [];
  try {
    for (const [index, file] of files.entries()) {
      const outcome = await attempt(file, () =>
        detect(client, file, `sending ${index + 1} of ${files.length}`),
      );
      outcomes.push(outcome);
      if (isJson)
        process.stdout.write(`${outcomes.length === 1 ? '[' : ','}\n${JSON.stringify(outcome, null, 2)}`);
      else if ('error' in outcome) process.stderr.write(`colophon: ${withoutBreaks(toLine(outcome))}\n`);
      else print(outcome, { json: false, describe });
    }
  } finally {
    if (isJson) process.stdout.write(outcomes.length === 0 ? '[]\n' : '\n]\n');
  }
  return outcomes;
}

async function detect(client: Client, file: string, label: string): Promise<Detected> {
  const options = { fileName: fileNameOf(file), maxRetries: MAX_RETRIES };
  return { file, ...(await client.detect(await openRepeatedly(file, label), options)) };
}

/** Returns an error that may concern only this file. Throws any other error. */
async function attempt(file: string, run: () => Promise<Detected>): Promise<DetectOutcome> {
  try {
    return await run();
  } catch (error) {
    const isOfFile =
      error instanceof UnreadableError ||
      (error instanceof ApiError && STATUSES_OF_A_FILE.includes(error.status));
    if (!isOfFile) throw error;
    const code = error instanceof ApiError ? error.code : error.name;
    const { recovery = undefined } = error instanceof ApiError ? error : {};
    return { file, error: { code, message: error.message, ...(recovery === undefined ? {} : { recovery }) } };
  }
}

const toLine = ({ file, error: { message, recovery = '' } }: UncheckedFile) =>
  `${file}: ${message} ${recovery}`.trimEnd();

/** Throws if a file was not checked, or has no mark. */
function assertComplete(outcomes: readonly DetectOutcome[]): void {
  const unchecked = outcomes.filter((outcome) => 'error' in outcome).length;
  const unmarked = outcomes.filter((outcome) => 'layers' in outcome && outcome.layers.length === 0).length;
  const without = `The detector found no mark in ${unmarked} of ${outcomes.length} files.`;
  if (unchecked > 0)
    throw new Error(
      `${unchecked} of ${outcomes.length} files could not be checked.${unmarked > 0 ? ` ${without}` : ''}`,
    );
  if (unmarked > 0) throw new NotVerifiedError(without);
}

/** Each repetition of the request opens the file again. Standard input can be sent only once. */
async function openRepeatedly(file: string, label: string): Promise<Content> {
  const opened = await openFile(file);
  if (file === STDIN) return opened.read(label);
  let first: OpenedFile | undefined = opened;
  return () => {
    const unread = first;
    first = undefined;
    return unread === undefined ? readAgain(file, label) : unread.read(label);
  };
}

async function* readAgain(file: string, label: string): AsyncGenerator<Uint8Array> {
  yield* (await openFile(file)).read(label);
}

function describe({ file, summary, layers, checks }: Detected): string {
  const unchecked = checks.filter(({ state }) => state === 'unavailable');
  const lines = [`${file}: ${summary}`, ...layers.flatMap(describeLayer), ...unchecked.map(describeCheck)];
  return `${lines.join('\n')}\n`;
}

/** Services of earlier versions send no code. */
function describeCheck({ kind, code, reason = '' }: DetectionCheck): string {
  const why = code === undefined ? '' : `, ${withoutBreaks(code)}`;
  return `  ${kind} (not checked${why}): ${withoutBreaks(reason)}`.trimEnd();
}

function describeLayer(layer: DetectionLayer): string[] {
  const { kind, confidence, says, meaning, makers = [], recordedAt } = layer;
  const named = makers.map(({ name, role }) => (name === undefined ? role : `${name} (${role})`)).join(', ');
  return [
    `  ${kind} (${confidence}): ${says}`,
    ...(meaning === undefined ? [] : [`    ${meaning}`]),
    ...(named === '' ? [] : [`    By: ${withoutBreaks(named)}.`]),
    ...(recordedAt === undefined ? [] : [`    Recorded: ${recordedAt}.`]),
  ];
}
