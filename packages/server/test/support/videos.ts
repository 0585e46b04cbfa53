import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../../src/config.js';

/** The path of ffmpeg; undefined if it is not installed. */
export const { ffmpeg: FFMPEG } = readConfig({ PATH: process.env.PATH }).search;

const CODEC = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-threads', '1'];

/** Makes a video with ffmpeg. `flags` are its inputs and filters. */
export function makeVideo(flags: readonly string[], extension = 'mp4'): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-made-'));
  try {
    const file = path.join(folder, `video.${extension}`);
    const codec = extension === 'webm' ? ['-c:v', 'libvpx', '-deadline', 'realtime'] : CODEC;
    const { status, stderr } = spawnSync(FFMPEG ?? '', ['-nostdin', '-v', 'error', ...flags, ...codec, file]);
    if (status !== 0) throw new Error(String(stderr));
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Flags of a video of 8 s with much motion. Each number gives another video. */
export function clip(number: number, filter = 'null'): string[] {
  const source = `life=s=80x60:r=5:mold=10:ratio=0.25:seed=${number}:life_color=#e0e040:death_color=#102080`;
  return ['-f', 'lavfi', '-i', `${source},fps=10,scale=320:240:flags=neighbor,${filter}`, '-t', '8'];
}
