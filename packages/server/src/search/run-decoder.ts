import { spawn } from 'node:child_process';

/** Memory limit of one decoder, in bytes. A video of 3840 x 2160 pixels in HEVC takes 172 MiB. */
export const DECODER_BYTES = 256 * 2 ** 20;

/**
 * Memory limit of a process that decodes a video and encodes it again, in bytes. A video of 2560 x 1440 pixels takes
 * 170 MiB from H.264 to H.264, and 204 MiB from HEVC.
 */
export const ENCODER_BYTES = 288 * 2 ** 20;

/** Further limits of each process. */
const LIMITS = { cpuSeconds: 30, openFiles: 64, niceness: 10 };
/**
 * Limits of a decoder. The address space is larger than the data: it also contains the program and its libraries, which
 * all processes share.
 */
const DECODER: ProcessLimits = { dataBytes: DECODER_BYTES, addressBytes: 2 * DECODER_BYTES, fileBytes: 0 };
const ENCODER = { dataBytes: ENCODER_BYTES, addressBytes: 3 * ENCODER_BYTES };
const BLOCK_BYTES = 512;

/** Flags of FFmpeg for one thread and no log. */
export const QUIET_FLAGS: readonly string[] = [
  ...['-nostdin', '-v', 'quiet', '-threads', '1', '-filter_threads', '1', '-filter_complex_threads', '1'],
];

/**
 * A file for FFmpeg. `demuxer`: name of its format. `decoders`: names of the only decoders that FFmpeg may use.
 * `maxSeconds`: number of seconds to read from the beginning; by default, the whole file.
 */
interface FfmpegInput {
  path: string;
  demuxer: string;
  decoders: string;
  maxSeconds?: number | undefined;
}

/** Flags of FFmpeg that open a file with its format and a few decoders only. */
export function toInput({ path, demuxer, decoders, maxSeconds }: FfmpegInput): string[] {
  return [
    ...['-protocol_whitelist', 'file,pipe', '-codec_whitelist', decoders, '-f', demuxer],
    ...(maxSeconds === undefined ? [] : ['-t', String(maxSeconds)]),
    ...['-i', `file:${path}`],
  ];
}

/**
 * Limits of the memory of a process, and of each file that it writes. `niceness`: 0 to 19, by default 10. The process
 * gets the sum of this value and the niceness of its thread. `cpuSeconds`: processor time in whole seconds, by default
 * 30. Unlike a time limit, it does not depend on the load of the machine.
 */
export interface ProcessLimits {
  dataBytes: number;
  addressBytes: number;
  fileBytes: number;
  niceness?: number;
  cpuSeconds?: number | undefined;
}

/** The directory in which a decoder runs and may write files, and the largest size of a file. */
export interface DecoderFiles {
  directory: string;
  maxFileBytes: number;
}

/** Returns a command with these limits: a shell that sets them for its process, and then becomes the program. */
export function toLimitedCommand(
  command: readonly string[],
  {
    dataBytes,
    addressBytes,
    fileBytes,
    niceness = LIMITS.niceness,
    cpuSeconds = LIMITS.cpuSeconds,
  }: ProcessLimits,
): [shell: string, ...rest: string[]] {
  const script = `ulimit -c 0; ulimit -f ${Math.floor(fileBytes / BLOCK_BYTES)}
ulimit -t ${cpuSeconds}; ulimit -n ${LIMITS.openFiles}
ulimit -v ${addressBytes / 1024} 2>/dev/null
ulimit -d ${dataBytes / 1024} 2>/dev/null
exec nice -n ${niceness} "$0" "$@"`;
  return ['/bin/sh', '-c', script, ...command];
}

/** The longest run of a decoder. */
export interface RunTime {
  /** Longest time, in ms. It includes the time in which the decoder waits for a processor. */
  limitMs: number;
  /** Longest processor time, in whole seconds; by default 30. All threads of the decoder share it. */
  cpuSeconds?: number;
}

/** The limits of one run of a decoder. */
export interface DecoderBounds extends RunTime {
  /** Ends the decoder when it aborts. */
  signal: AbortSignal;
  /** Largest output, in bytes. */
  maxBytes: number;
}

/** The output of a decoder. `hasEnded`: it ended by itself, without an error and within all limits. */
export interface DecoderRun {
  output: Uint8Array<ArrayBuffer>;
  hasEnded: boolean;
}

/**
 * Runs a decoder in its own process group, so that programs that it started end with it. Returns the output that it
 * wrote within its limits of time, memory and output size. When the signal aborts, ends the decoder and then rejects
 * with the signal's reason. Without `files`, the decoder can write no file.
 */
export function runDecoder(
  command: readonly string[],
  bounds: DecoderBounds,
  files?: DecoderFiles,
): Promise<DecoderRun> {
  if (files === undefined) return runLimited(command, bounds, DECODER);
  const { directory, maxFileBytes } = files;
  return runLimited(command, bounds, { ...DECODER, fileBytes: maxFileBytes, directory });
}

/**
 * Runs a program that writes a file of at most `maxFileBytes`. Returns whether it ended by itself, without an error.
 */
export async function runEncoder(
  command: readonly string[],
  { maxFileBytes, ...bounds }: Omit<DecoderBounds, 'maxBytes'> & { maxFileBytes: number },
): Promise<boolean> {
  const limits = { ...ENCODER, fileBytes: maxFileBytes };
  return (await runLimited(command, { ...bounds, maxBytes: 1 }, limits)).hasEnded;
}

function runLimited(
  command: readonly string[],
  { signal, limitMs, cpuSeconds, maxBytes }: DecoderBounds,
  { directory = '/', ...limits }: ProcessLimits & Partial<DecoderFiles>,
): Promise<DecoderRun> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const [shell, ...rest] = toLimitedCommand(command, { ...limits, cpuSeconds });
    const child = spawn(shell, rest, {
      detached: true,
      env: {},
      cwd: directory,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const chunks: Uint8Array[] = [];
    let sizeBytes = 0;
    const end = () => endGroup(child.pid);
    const timer = setTimeout(end, limitMs);
    signal.addEventListener('abort', end, { once: true });
    const release = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    };
    child.stdout.on('data', (chunk: Uint8Array) => {
      if (sizeBytes < maxBytes) chunks.push(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes >= maxBytes) end();
    });
    child.once('error', (error) => {
      release();
      reject(error);
    });
    child.once('close', (code) => {
      release();
      end();
      if (signal.aborted) reject(signal.reason);
      else resolve({ output: join(chunks, Math.min(sizeBytes, maxBytes)), hasEnded: code === 0 });
    });
  });
}

/** Returns the first bytes of the chunks, in a buffer of their own. */
function join(chunks: readonly Uint8Array[], sizeBytes: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(sizeBytes);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk.subarray(0, sizeBytes - at), at);
    at += chunk.length;
  }
  return joined;
}

function endGroup(processId: number | undefined): void {
  if (processId === undefined) return;
  try {
    process.kill(-processId, 'SIGKILL');
  } catch {
    return; // the group has ended
  }
}
