import { inNamelessFile } from '../nameless-file.js';
import { type FileRunBounds, NotStarted, OPEN_FILE, runOnFile } from '../run-on-file.js';

/** Memory limit of fpcalc, in bytes. A few bytes of an MP4 can claim millions of samples, which fpcalc would index. */
export const PRINT_BYTES = 128 * 2 ** 20;
const BOUNDS: Omit<FileRunBounds, 'limitMs' | 'cpuSeconds'> = {
  dataBytes: PRINT_BYTES,
  addressBytes: 4 * PRINT_BYTES,
  fileBytes: 0,
  niceness: 0,
  maxBytes: 2 ** 20,
};
/** Exit codes with which fpcalc returns a fingerprint. Code 3 often means that the last frame is incomplete. */
const EXIT_CODES = [0, 3];

/** Without a stated format, FFmpeg would also read playlists, which can name other files and addresses. */
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

export interface SoundToPrint {
  bytes: Uint8Array;
  format: string;
  /** 0: the whole sound. */
  maxSeconds: number;
  limitMs: number;
  /** Processor time in whole seconds; by default 30. */
  cpuSeconds?: number;
}

export function soundFormatOf(mediaType: string): string | undefined {
  const [essence = ''] = mediaType.split(';', 1);
  return FORMATS[essence.slice('audio/'.length)];
}

/** Returns a Chromaprint fingerprint. Undefined when fpcalc returns none. Throws when fpcalc cannot start. */
export function readPrint(fpcalc: string, { bytes, ...asked }: SoundToPrint): Uint32Array | undefined {
  return inNamelessFile('sound', bytes, (file) => runProgram(fpcalc, file, asked));
}

/** Does the same as `readPrint`, but returns undefined when fpcalc cannot start. */
export function readPrintIfPossible(fpcalc: string, sound: SoundToPrint): Uint32Array | undefined {
  try {
    return readPrint(fpcalc, sound);
  } catch (error) {
    if (error instanceof NotStarted) return undefined;
    throw error;
  }
}

function runProgram(
  fpcalc: string,
  file: number,
  { format, maxSeconds, ...time }: Omit<SoundToPrint, 'bytes'>,
): Uint32Array | undefined {
  const flags = ['-raw', '-json', '-length', String(maxSeconds), '-format', format];
  const program = { name: 'fpcalc', command: [fpcalc, ...flags, OPEN_FILE] };
  const { status, output } = runOnFile(program, file, { ...BOUNDS, ...time });
  if (status === null || !EXIT_CODES.includes(status)) return undefined;
  try {
    const { fingerprint } = JSON.parse(output.toString()) as { fingerprint?: unknown };
    return Array.isArray(fingerprint)
      ? Uint32Array.from(fingerprint, (value) => Number(value) >>> 0)
      : undefined;
  } catch {
    return undefined; // fpcalc ended without a fingerprint
  }
}
