import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const HAS_FFMPEG = spawnSync('ffmpeg', ['-version']).status === 0;

/** `input` has the bytes of the input file, if there is one. */
export function runFfmpeg(flags, { input, extension }) {
  const directory = mkdtempSync(join(tmpdir(), 'colophon-example-'));
  try {
    const [source, target] = [join(directory, 'source'), join(directory, `target.${extension}`)];
    if (input !== undefined) writeFileSync(source, input);
    const inputFlags = input === undefined ? [] : ['-i', source];
    const { status, stderr } = spawnSync('ffmpeg', [
      ...['-nostdin', '-v', 'error', '-threads', '1'],
      ...[...inputFlags, ...flags, target],
    ]);
    if (status !== 0) throw new Error(`ffmpeg: ${stderr}`);
    return readFileSync(target);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
