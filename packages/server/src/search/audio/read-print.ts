import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { makeTemporaryDirectorySync } from '../../platform/files/temporary-directory.js';

const MAX_OUTPUT_BYTES = 2 ** 20;
/**
 * Exit codes with which fpcalc returns a fingerprint. Code 3 often means that the last frame of the sound is
 * incomplete.
 */
const EXIT_CODES = [0, 3];

/**
 * The format names of FFmpeg, which fpcalc contains. The service always states a format. Without one, FFmpeg would also
 * read playlists, which can name other files and addresses.
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

/** Returns the format name of fpcalc for a media type of sound. Undefined for a type that the service does not read. */
export function soundFormatOf(mediaType: string): string | undefined {
  const [essence = ''] = mediaType.split(';', 1);
  return FORMATS[essence.slice('audio/'.length)];
}

/** Returns the Chromaprint fingerprint of a sound. Undefined when fpcalc yields none. */
export function readPrint(fpcalc: string, { bytes, ...asked }: SoundToPrint): Uint32Array | undefined {
  return inFile(bytes, (file) => runProgram(fpcalc, file, asked));
}

/**
 * Writes the bytes to a file, because fpcalc reads the end of some formats first. The name of the file is removed
 * before fpcalc starts, so the file also disappears when the thread ends early.
 */
function inFile<T>(bytes: Uint8Array, use: (file: number) => T): T {
  const file = openNameless();
  try {
    // Write at a position, so that the offset of the file stays 0. On some systems, a file opened through `/dev/fd`
    // shares this offset.
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
    return use(file);
  } finally {
    closeSync(file);
  }
}

function openNameless(): number {
  const directory = makeTemporaryDirectorySync('sound');
  try {
    return openSync(path.join(directory, 'sound'), 'wx+', 0o600);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The file descriptor of the sound in fpcalc. */
const SOUND = 3;

function runProgram(
  fpcalc: string,
  file: number,
  { format, maxSeconds, limitMs }: Omit<SoundToPrint, 'bytes'>,
): Uint32Array | undefined {
  const flags = ['-raw', '-json', '-length', String(maxSeconds), '-format', format];
  const { status, stdout } = spawnSync(fpcalc, [...flags, `/dev/fd/${SOUND}`], {
    env: {},
    timeout: limitMs,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
    stdio: ['ignore', 'pipe', 'ignore', file],
    encoding: 'utf8',
  });
  if (status === null || !EXIT_CODES.includes(status)) return undefined;
  try {
    const { fingerprint } = JSON.parse(stdout) as { fingerprint?: unknown };
    return Array.isArray(fingerprint)
      ? Uint32Array.from(fingerprint, (value) => Number(value) >>> 0)
      : undefined;
  } catch {
    return undefined; // fpcalc ended without a fingerprint
  }
}
