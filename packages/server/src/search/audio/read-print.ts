import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

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

/** A sound for fpcalc, and the bounds of its work. */
export interface SoundToPrint {
  bytes: Uint8Array;
  format: string;
  /** 0: the whole sound. */
  maxSeconds: number;
  limitMs: number;
}

/** Returns the name that fpcalc has for a media type of sound. Undefined for a type that it is not asked to read. */
export function soundFormatOf(mediaType: string): string | undefined {
  const [essence = ''] = mediaType.split(';', 1);
  return FORMATS[essence.slice('audio/'.length)];
}

/** Returns the Chromaprint fingerprint of a sound. Undefined when fpcalc yields none. */
export function readPrint(fpcalc: string, { bytes, ...asked }: SoundToPrint): Uint32Array | undefined {
  return inFile(bytes, (file) => runProgram(fpcalc, file, asked));
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

function runProgram(
  fpcalc: string,
  file: string,
  { format, maxSeconds, limitMs }: Omit<SoundToPrint, 'bytes'>,
): Uint32Array | undefined {
  const flags = ['-raw', '-json', '-length', String(maxSeconds), '-format', format];
  const { status, stdout } = spawnSync(fpcalc, [...flags, file], {
    env: {},
    timeout: limitMs,
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
