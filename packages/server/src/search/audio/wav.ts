import type { Sound } from '@colophon/model/watermark';
import { MAX_MARKED_SECONDS } from '../sound-mark.js';

const PCM = 1;
/** Format WAVEFORMATEXTENSIBLE: the first two bytes of its subformat state the real format. */
const EXTENSIBLE = 0xfffe;
const MAX_CHANNELS = 8;
const MAX_CHUNKS = 1_000;
const DAMAGED = 'The WAV file is damaged or cut short.';

interface WavChunk {
  name: string;
  content: Buffer;
}

interface Shape {
  channels: number;
  sampleRate: number;
  sampleBytes: 2 | 3;
}

export interface WavCopy {
  sampleBytes: 2 | 3;
  chunks: readonly WavChunk[];
}

/** A WAV file of integer samples. */
export interface WavFile extends WavCopy {
  sound: Sound;
}

/** The samples of a WAV file as they are stored. A frame has one sample for each channel. */
export interface PcmFile extends Shape {
  data: Buffer;
  frames: number;
  chunks: readonly WavChunk[];
}

/**
 * Opens a WAV file with samples of 16 or 24 bits (RIFF, Microsoft and IBM 1991), or returns the reason why it cannot.
 * If the stated length of the data exceeds the file, reads the samples up to the end, as other programs do.
 */
export function openPcm(bytes: Uint8Array): PcmFile | string {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE')
    return 'The service supports watermarks only in WAV files of the format RIFF.';
  const chunks = readChunks(file);
  if (chunks.length > MAX_CHUNKS)
    return `The service supports watermarks only in WAV files of at most ${MAX_CHUNKS} chunks.`;
  const shape = readShape(chunks.find(({ name }) => name === 'fmt ')?.content);
  if (typeof shape === 'string') return shape;
  const datas = chunks.filter(({ name }) => name === 'data');
  const [data] = datas;
  if (data === undefined || datas.length > 1) return DAMAGED;
  const frames = Math.floor(data.content.length / (shape.channels * shape.sampleBytes));
  return { ...shape, data: data.content, frames, chunks };
}

/** Returns the reason if it cannot read the file. */
export function readWav(bytes: Uint8Array): WavFile | string {
  const opened = openPcm(bytes);
  if (typeof opened === 'string') return opened;
  const { data, frames, chunks, ...shape } = opened;
  if (frames > MAX_MARKED_SECONDS * shape.sampleRate)
    return `The service supports watermarks only in sounds of at most ${MAX_MARKED_SECONDS / 60} minutes.`;
  return { ...shape, sound: decode(data, shape, frames), chunks };
}

/** Returns at most `MAX_CHUNKS + 1` chunks, so that the caller can detect too many. */
function readChunks(file: Buffer): WavChunk[] {
  const chunks: WavChunk[] = [];
  for (let at = 12; at + 8 <= file.length && chunks.length <= MAX_CHUNKS; ) {
    const size = file.readUInt32LE(at + 4);
    chunks.push({ name: file.toString('latin1', at, at + 4), content: file.subarray(at + 8, at + 8 + size) });
    at += 8 + size + (size % 2);
  }
  return chunks;
}

function readShape(format: Buffer | undefined): Shape | string {
  if (format === undefined || format.length < 16) return DAMAGED;
  const tag = format.readUInt16LE(0);
  const kind = tag === EXTENSIBLE && format.length >= 26 ? format.readUInt16LE(24) : tag;
  const [channels, sampleRate] = [format.readUInt16LE(2), format.readUInt32LE(4)];
  const [frameBytes, bits] = [format.readUInt16LE(12), format.readUInt16LE(14)];
  if (kind !== PCM || (bits !== 16 && bits !== 24))
    return 'The service supports watermarks only in WAV files with PCM samples of 16 or 24 bits.';
  if (channels < 1 || channels > MAX_CHANNELS || sampleRate < 8_000 || sampleRate > 192_000)
    return `The service supports watermarks only in WAV files of 1 to ${MAX_CHANNELS} channels at 8000 to 192000 Hz; this one has ${channels} at ${sampleRate} Hz.`;
  if (frameBytes !== (channels * bits) / 8) return DAMAGED;
  return { channels, sampleRate, sampleBytes: bits === 16 ? 2 : 3 };
}

function decode(data: Buffer, { channels: count, sampleRate, sampleBytes }: Shape, frames: number): Sound {
  const channels = Array.from({ length: count }, () => new Float32Array(frames));
  for (const [place, channel] of channels.entries()) {
    for (let frame = 0; frame < frames; frame++) {
      const at = (frame * count + place) * sampleBytes;
      channel[frame] = sampleBytes === 2 ? data.readInt16LE(at) / 2 ** 15 : data.readIntLE(at, 3) / 2 ** 23;
    }
  }
  return { sampleRate, channels };
}

/**
 * The chunk of a manifest (C2PA 2.3 §A.3.6). A marked copy has none, because the manifest does not match its samples.
 */
const MANIFEST = 'C2PA';

export function writeWav({ sampleBytes, chunks }: WavCopy, channels: readonly Float32Array[]): Buffer {
  const kept = chunks.filter(({ name }) => name !== MANIFEST);
  const dataBytes = (channels[0]?.length ?? 0) * channels.length * sampleBytes;
  const sizeOf = ({ name, content }: WavChunk) => (name === 'data' ? dataBytes : content.length);
  const file = Buffer.alloc(kept.reduce((sum, chunk) => sum + 8 + padded(sizeOf(chunk)), 12));
  file.write('RIFF    WAVE', 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  let at = 12;
  for (const chunk of kept) {
    const size = sizeOf(chunk);
    file.write(chunk.name, at, 'latin1');
    file.writeUInt32LE(size, at + 4);
    const target = file.subarray(at + 8, at + 8 + size);
    if (chunk.name === 'data') encode(channels, sampleBytes, target);
    else target.set(chunk.content);
    at += 8 + padded(size);
  }
  return file;
}

const padded = (size: number) => size + (size % 2);

function encode(channels: readonly Float32Array[], sampleBytes: 2 | 3, data: Buffer): void {
  const full = 2 ** (8 * sampleBytes - 1);
  for (const [place, channel] of channels.entries()) {
    for (let frame = 0; frame < channel.length; frame++) {
      const value = Math.max(-full, Math.min(full - 1, Math.round((channel[frame] ?? 0) * full)));
      data.writeIntLE(value, (frame * channels.length + place) * sampleBytes, sampleBytes);
    }
  }
}
