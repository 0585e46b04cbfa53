import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../../src/config.js';

export const { ffmpeg: FFMPEG } = readConfig({ PATH: process.env.PATH }).search;

const CODEC = ['-c:v', 'libx264', '-threads', '1'];
const FAST = ['-preset', 'ultrafast'];

/** `flags`: inputs, filters and preset. `pixels`: the format of the pixels. */
export function makeVideo(flags: readonly string[], extension = 'mp4', pixels = 'yuv420p'): Buffer {
  const h264 = flags.includes('-preset') ? CODEC : [...CODEC, ...FAST];
  const codec = extension === 'webm' ? ['-c:v', 'libvpx', '-deadline', 'realtime'] : h264;
  return inFolder((folder) => {
    const file = path.join(folder, `video.${extension}`);
    run(['-nostdin', ...flags, ...codec, '-pix_fmt', pixels, file]);
    return readFileSync(file);
  });
}

/** `flags` are those of ffmpeg. */
export function changeVideo(video: Uint8Array, flags: readonly string[]): Buffer {
  return inFolder((folder) => {
    const file = path.join(folder, 'before.mp4');
    writeFileSync(file, video);
    return makeVideo(['-i', file, ...flags]);
  });
}

/** Returns the size, the frames and the time, and a digest of the sound. */
export function probeVideo(video: Uint8Array): string[] {
  return inFolder((folder) => {
    const file = path.join(folder, 'probed.mp4');
    writeFileSync(file, video);
    const sound = run(['-i', file, '-map', '0:a', '-c', 'copy', '-f', 'md5', '-']);
    const frames = run(['-i', file, '-map', '0:v', '-f', 'framecrc', '-']).split('\n');
    const times = frames.map((line) => line.split(',').slice(0, 3).join());
    return [sound, ...frames.filter((line) => line.startsWith('#dimensions')), ...times];
  });
}

function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-made-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(flags: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(FFMPEG ?? '', ['-v', 'error', ...flags], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** 8 s with much motion. Each number gives another video. */
export function clip(number: number, filter = 'null'): string[] {
  const source = `life=s=80x60:r=5:mold=10:ratio=0.25:seed=${number}:life_color=#e0e040:death_color=#102080`;
  return ['-f', 'lavfi', '-i', `${source},fps=10,scale=320:240:flags=neighbor,${filter}`, '-t', '8'];
}
