import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeTemporaryDirectory } from '../../platform/files/temporary-directory.js';
import {
  FRAME_BYTES,
  FRAME_EDGE,
  FRAME_RATE,
  MAX_FRAMES_BYTES,
  MAX_SAMPLES,
  MAX_VIDEO_SECONDS,
} from './frames.js';

/** Memory limit of one decoder, in bytes. A video of 3840 x 2160 pixels in HEVC takes 172 MiB. */
export const DECODER_BYTES = 256 * 2 ** 20;

/**
 * Other limits of one decoder. The address space also contains the program and its libraries, whose memory all
 * processes share.
 */
const LIMITS = { cpuSeconds: 30, addressKiB: 512 * 1024, openFiles: 64, niceness: 10 };

/** Sets the limits of the process, then becomes the decoder. No file can grow: the output goes to a pipe. */
const LIMITED = `ulimit -c 0; ulimit -f 0; ulimit -t ${LIMITS.cpuSeconds}; ulimit -n ${LIMITS.openFiles}
ulimit -v ${LIMITS.addressKiB} 2>/dev/null
ulimit -d ${DECODER_BYTES / 1024} 2>/dev/null
exec nice -n ${LIMITS.niceness} "$0" "$@"`;

/** Decoders of common formats. FFmpeg has hundreds of others, which are rarely used and rarely tested. */
const CODECS = [
  'h264,hevc,vp8,vp9,libvpx,libvpx-vp9,av1,libdav1d,libaom-av1,h263,mpeg4,msmpeg4v2,msmpeg4,mpeg1video,mpeg2video',
  'mjpeg,prores,ffv1,huffyuv,rawvideo,png,theora',
].join(',');

/** A video for the decoder. */
export interface VideoToRead {
  /** The path of a file, or bytes, which are written to a temporary file. */
  content: string | AsyncIterable<Uint8Array>;
  /** Name of the FFmpeg demuxer. */
  demuxer: string;
  /** Ends the decoder. */
  signal: AbortSignal;
  /** Longest time of the decoder, in ms. */
  limitMs: number;
}

/**
 * Decodes frames of the beginning of a video in a process of its own. Returns up to `MAX_SAMPLES` frames, one after the
 * other: the frames that the decoder returned within its limits of time, memory and output. When the signal aborts,
 * ends the process and then rejects with the signal's reason.
 */
export function readFrames(ffmpeg: string, video: VideoToRead): Promise<Uint8Array> {
  const { content } = video;
  return typeof content === 'string'
    ? runDecoder([ffmpeg, ...flagsFor(content, video.demuxer)], video)
    : readStream(ffmpeg, { ...video, content });
}

async function readStream(
  ffmpeg: string,
  video: VideoToRead & { content: AsyncIterable<Uint8Array> },
): Promise<Uint8Array> {
  const directory = await makeTemporaryDirectory('video');
  try {
    const file = path.join(directory, 'video');
    await pipeline(video.content, createWriteStream(file, { flags: 'wx', mode: 0o600 }), {
      signal: video.signal,
    });
    return await runDecoder([ffmpeg, ...flagsFor(file, video.demuxer)], video);
  } catch (error) {
    video.signal.throwIfAborted();
    throw error;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function flagsFor(file: string, demuxer: string): string[] {
  return [
    ...['-nostdin', '-v', 'quiet', '-threads', '1', '-filter_threads', '1'],
    ...['-protocol_whitelist', 'file,pipe', '-codec_whitelist', CODECS, '-f', demuxer],
    ...['-t', String(MAX_VIDEO_SECONDS), '-i', `file:${file}`, '-map', '0:v:0', '-an', '-sn', '-dn'],
    ...['-vf', `fps=${FRAME_RATE},scale=${FRAME_EDGE}:${FRAME_EDGE}:flags=area`],
    ...['-frames:v', String(MAX_SAMPLES), '-pix_fmt', 'rgb24', '-f', 'rawvideo', 'pipe:1'],
  ];
}

/** Runs the decoder in its own process group, so that its end includes programs that it started. */
function runDecoder(command: readonly string[], { signal, limitMs }: VideoToRead) {
  return new Promise<Uint8Array>((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn('/bin/sh', ['-c', LIMITED, ...command], {
      detached: true,
      env: {},
      cwd: '/',
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
      if (sizeBytes < MAX_FRAMES_BYTES) chunks.push(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes >= MAX_FRAMES_BYTES) end();
    });
    child.once('error', (error) => {
      release();
      reject(error);
    });
    child.once('close', () => {
      release();
      end();
      if (signal.aborted) reject(signal.reason);
      else resolve(wholeFrames(chunks));
    });
  });
}

function wholeFrames(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.concat(chunks);
  const sizeBytes = Math.min(bytes.length, MAX_FRAMES_BYTES);
  return bytes.subarray(0, sizeBytes - (sizeBytes % FRAME_BYTES));
}

function endGroup(processId: number | undefined): void {
  if (processId === undefined) return;
  try {
    process.kill(-processId, 'SIGKILL');
  } catch {
    return; // the group has ended
  }
}
