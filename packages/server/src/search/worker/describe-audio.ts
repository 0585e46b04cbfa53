import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describePrint, isTelling, toPrintBytes } from '../audio/describe-print.js';
import { AUDIO_METHOD } from '../descriptor.js';
import type { DescribeTask, Description } from './protocol.js';
import { toDescription } from './to-description.js';

const MAX_SECONDS = 120;
const LIMIT_MS = 8_000;
const MAX_OUTPUT_BYTES = 2 ** 20;
/** Exit codes with a fingerprint. The last frame of a sound is often incomplete, which is code 3. */
const EXIT_CODES = [0, 3];

/**
 * The format names of FFmpeg, which fpcalc contains. A format is always stated: without one, FFmpeg would also read
 * lists of files and addresses.
 */
const FORMATS: Readonly<Record<string, string>> = {
  mpeg: 'mp3',
  mp4: 'mov',
  'x-m4a': 'mov',
  wav: 'wav',
  flac: 'flac',
  ogg: 'ogg',
  aac: 'aac',
  aiff: 'aiff',
};

/** Describes a sound by the Chromaprint fingerprint of its first two minutes. */
export function describeAudio(
  fpcalc: string | undefined,
  { bytes, mediaType }: Pick<DescribeTask, 'bytes' | 'mediaType'>,
): Description {
  const [essence = ''] = mediaType.split(';', 1);
  const format = FORMATS[essence.slice('audio/'.length)];
  if (fpcalc === undefined || format === undefined)
    return { kind: 'nothing', reason: 'Sound of this kind cannot be described here.', isPassing: true };
  const print = inFile(bytes, (file) => readPrint(fpcalc, format, file));
  if (print === undefined)
    return { kind: 'nothing', reason: 'It cannot be decoded: it is damaged or cut short.' };
  if (!isTelling(print)) return { kind: 'nothing', reason: 'It has too little sound for a comparison.' };
  const vector = describePrint(print);
  return toDescription({ method: AUDIO_METHOD, vector, evidence: toPrintBytes(print), turned: [vector] });
}

/** Writes the bytes to a file for fpcalc, since some formats need their end first. */
function inFile<T>(bytes: Uint8Array, use: (file: string) => T): T {
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-sound-'));
  try {
    const file = path.join(directory, 'sound');
    writeFileSync(file, bytes);
    return use(file);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function readPrint(fpcalc: string, format: string, file: string): Uint32Array | undefined {
  const flags = ['-raw', '-json', '-length', String(MAX_SECONDS), '-format', format];
  const { status, stdout } = spawnSync(fpcalc, [...flags, file], {
    env: {},
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  if (status === null || !EXIT_CODES.includes(status)) return undefined;
  try {
    const { fingerprint } = JSON.parse(stdout) as { fingerprint?: unknown };
    return Array.isArray(fingerprint)
      ? Uint32Array.from(fingerprint, (value) => Number(value) >>> 0)
      : undefined;
  } catch {
    return undefined; // it ended without a fingerprint
  }
}
