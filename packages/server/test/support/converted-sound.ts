import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FFMPEG } from './videos.js';

/** Converts a WAV file with ffmpeg, without metadata. `flags` are the flags of the encoder. */
export function convertSound(file: Uint8Array, extension: string, flags: readonly string[] = []): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-made-'));
  try {
    const [source, target] = [path.join(folder, 'source.wav'), path.join(folder, `sound.${extension}`)];
    writeFileSync(source, file);
    const common = ['-nostdin', '-v', 'error', '-i', source, '-map_metadata', '-1', '-threads', '1'];
    const { status, stderr } = spawnSync(FFMPEG ?? '', [...common, ...flags, target]);
    if (status !== 0) throw new Error(String(stderr));
    return readFileSync(target);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
