// Reads excerpts of recorded sounds from a folder. Needs ffmpeg.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RATE } from './marked-sounds.mjs';

const SECONDS = 30;

/** Returns excerpts of 30 s: one channel at 44.1 kHz. Omits the end of a file after its last complete excerpt. */
export function readRecordings(folder) {
  const names = readdirSync(folder).sort();
  return names.flatMap((name) => {
    const samples = decode(join(folder, name));
    const count = Math.floor(samples.length / (SECONDS * RATE));
    return Array.from({ length: count }, (_, at) => ({
      name: `${name} from ${at * SECONDS} s`,
      samples: samples.slice(at * SECONDS * RATE, (at + 1) * SECONDS * RATE),
    }));
  });
}

/** Returns no samples for a file without sound. */
function decode(file) {
  const flags = ['-v', 'error', '-nostdin', '-i', file, '-map', '0:a:0'];
  const output = ['-ac', '1', '-ar', String(RATE), '-f', 'f32le', '-'];
  const { stdout } = spawnSync('ffmpeg', [...flags, ...output], { maxBuffer: 2 ** 30 });
  return new Float32Array(new Uint8Array(stdout).buffer, 0, stdout.length >> 2);
}
