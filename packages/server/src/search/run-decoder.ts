import { spawn } from 'node:child_process';

/** Memory limit of one decoder, in bytes. A video of 3840 x 2160 pixels in HEVC takes 172 MiB. */
export const DECODER_BYTES = 256 * 2 ** 20;

/** Other limits of one decoder. Its address space also has its program and libraries, which all processes share. */
const LIMITS = { cpuSeconds: 30, addressKiB: 512 * 1024, openFiles: 64, niceness: 10 };

/**
 * Sets the limits of the process, then becomes the decoder. The first argument is the largest size of a file that it
 * writes, in blocks of 512 bytes.
 */
const LIMITED = `ulimit -c 0; ulimit -f "$0"; ulimit -t ${LIMITS.cpuSeconds}; ulimit -n ${LIMITS.openFiles}
ulimit -v ${LIMITS.addressKiB} 2>/dev/null
ulimit -d ${DECODER_BYTES / 1024} 2>/dev/null
exec nice -n ${LIMITS.niceness} "$@"`;
const BLOCK_BYTES = 512;

/** Bounds of one run of a decoder. */
export interface DecoderBounds {
  /** Ends the decoder. */
  signal: AbortSignal;
  /** Longest time of the decoder, in ms. */
  limitMs: number;
  /** Largest output, in bytes. */
  maxBytes: number;
  /** Largest file that the decoder may write, in bytes. By default it writes no file. */
  maxFileBytes?: number;
}

/**
 * Runs a decoder in its own process group, so that programs that it started end with it. Returns the output that it
 * wrote within its limits of time, memory and output. When the signal aborts, ends the decoder and then rejects with
 * the signal's reason.
 */
export function runDecoder(
  command: readonly string[],
  { signal, limitMs, maxBytes, maxFileBytes = 0 }: DecoderBounds,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(
      '/bin/sh',
      ['-c', LIMITED, String(Math.floor(maxFileBytes / BLOCK_BYTES)), ...command],
      {
        detached: true,
        env: {},
        cwd: '/',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
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
    child.once('close', () => {
      release();
      end();
      if (signal.aborted) reject(signal.reason);
      else resolve(join(chunks, Math.min(sizeBytes, maxBytes)));
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
