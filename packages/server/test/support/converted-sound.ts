import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FFMPEG } from './videos.js';

/** Removes metadata. `flags` are the flags of the encoder. */
export function convertSound(file: Uint8Array, extension: string, flags: readonly string[] = []): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-made-'));
  try {
    const [source, target] = [path.join(folder, 'source'), path.join(folder, `sound.${extension}`)];
    writeFileSync(source, file);
    const input = ['-nostdin', '-v', 'error', '-i', source];
    const output = [...flags, '-map_metadata', '-1', '-threads', '1', target];
    const { status, stderr } = spawnSync(FFMPEG ?? '', [...input, ...output], { timeout: 60_000 });
    if (status !== 0) throw new Error(String(stderr));
    return readFileSync(target);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads format, channels, bits, seconds, tags and cover with ffprobe. */
export function probeSound(file: Uint8Array, extension: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-made-'));
  try {
    const source = path.join(folder, `sound.${extension}`);
    writeFileSync(source, file);
    const asked =
      'stream=codec_name,channels,sample_rate,bits_per_raw_sample:format=duration:format_tags=title,artist';
    const flags = ['-v', 'error', '-show_entries', asked, '-of', 'json', source];
    const { stdout } = spawnSync(path.join(path.dirname(FFMPEG ?? ''), 'ffprobe'), flags);
    const {
      streams: [sound, cover],
      format,
    } = JSON.parse(String(stdout));
    const { codec_name: codec, channels, sample_rate: rate, bits_per_raw_sample: bits } = sound;
    const seconds = Number(format.duration).toFixed(0);
    return { codec, channels, rate, bits, seconds, cover: cover?.codec_name, ...format.tags };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
