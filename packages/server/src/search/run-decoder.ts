import { spawn } from 'node:child_process';

export const DECODER_BYTES = 256 * 2 ** 20;

export const ENCODER_BYTES = 288 * 2 ** 20;

const LIMITS = { cpuSeconds: 30, openFiles: 64, niceness: 10 };
/** The address space is larger than the data: it also contains the program and its libraries. */
const DECODER: ProcessLimits = { dataBytes: DECODER_BYTES, addressBytes: 2 * DECODER_BYTES, fileBytes: 0 };
const ENCODER = { dataBytes: ENCODER_BYTES, addressBytes: 3 * ENCODER_BYTES };
const BLOCK_BYTES = 512;

export const QUIET_FLAGS: readonly string[] = [
  ...['-nostdin', '-v', 'quiet', '-threads', '1', '-filter_threads', '1', '-filter_complex_threads', '1'],
];

/** `decoders`: the only decoders that FFmpeg may use. `maxSeconds`: seconds from the beginning; by default, all. */
interface FfmpegInput {
  path: string;
  demuxer: string;
  decoders: string;
  maxSeconds?: number | undefined;
}

export function toInput({ path, demuxer, decoders, maxSeconds }: FfmpegInput): string[] {
  return [
    ...['-protocol_whitelist', 'file,pipe', '-codec_whitelist', decoders, '-f', demuxer],
    ...(maxSeconds === undefined ? [] : ['-t', String(maxSeconds)]),
    ...['-i', `file:${path}`],
  ];
}

/**
 * Limits of the memory of a process, and of each file that it writes. `niceness`: added to that of the thread, by
 * default 10. `cpuSeconds`: processor time in whole seconds, by default 30. Unlike a time limit, it does not depend on
 * the load of the machine.
 */
export interface ProcessLimits {
  dataBytes: number;
  addressBytes: number;
  fileBytes: number;
  niceness?: number;
  cpuSeconds?: number | undefined;
}

export interface DecoderFiles {
  directory: string;
  maxFileBytes: number;
}

/** Returns a shell command that sets the limits for its process, and then becomes the program. */
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

export interface RunTime {
  /** The time limit in ms. It includes the wait for a processor. */
  limitMs: number;
  /** Processor time of all threads, in whole seconds; by default 30. */
  cpuSeconds?: number;
}

export interface DecoderBounds extends RunTime {
  signal: AbortSignal;
  maxBytes: number;
}

/** `hasEnded`: the decoder ended by itself, without an error and within all limits. */
export interface DecoderRun {
  output: Uint8Array<ArrayBuffer>;
  hasEnded: boolean;
}

/**
 * Runs a decoder. Its process group ends with it. Returns the output that it wrote within its limits. When the signal
 * aborts, ends the decoder and then rejects with the signal's reason. Without `files`, it can write no file.
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

/** Returns whether the program ended by itself, without an error. It writes a file of at most `maxFileBytes`. */
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
