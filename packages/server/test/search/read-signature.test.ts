import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { countDifferentBits, parseVideoSignature } from '@colophon/model';
import { afterAll, describe, expect, it } from 'vitest';
import { toVideoUnit } from '../../src/search/iscc/content-unit.js';
import { FRAME_BYTES } from '../../src/search/video/frames.js';
import { readSignature } from '../../src/search/video/read-signature.js';
import { changeVideo, clip, FFMPEG, makeVideo } from '../support/videos.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-signature-'));
afterAll(() => rmSync(folder, { recursive: true }));

let written = 0;

function write(bytes: Uint8Array | string, mode = 0o600): string {
  const file = path.join(folder, `file-${written++}`);
  writeFileSync(file, bytes, { mode });
  return file;
}

const { signal } = new AbortController();

function read(ffmpeg: string, content: string, withFrames = true) {
  return readSignature(ffmpeg, { content, demuxer: 'mov', signal, limitMs: 25_000, withFrames });
}

const TWO_FRAMES = `head -c ${2 * FRAME_BYTES} /dev/zero`;

describe('the decoder with a video signature', () => {
  const video = write('video');
  const run = (script: string) => read(write(`#!/bin/sh\n${script}\n`, 0o755), video);
  const temporary = () => readdirSync(tmpdir()).filter((name) => name.startsWith('colophon-video-'));

  it('writes at most 1 MiB, into its own empty directory, which is removed afterwards', async () => {
    const before = temporary();
    const { signature } = await run(`(ulimit -f; stat -c %a .; ls; echo "$@") > args; mv args signature`);
    const [size, mode, files, flags] = Buffer.from(signature ?? [])
      .toString()
      .split('\n');
    expect([size, mode, files]).toEqual(['2048', '700', 'args']);
    expect(flags).toMatch(/^-max_error_rate 0 .*-protocol_whitelist file,pipe .* -f mov -t 1810 -i file:/);
    expect(temporary().filter((name) => !before.includes(name))).toEqual([]);
  });

  it.each([
    ['fails after its last frame', `echo text > signature; ${TWO_FRAMES}; exit 69`],
    ['writes no signature', TWO_FRAMES],
    ['writes more than the longest signature', `${TWO_FRAMES}; head -c 810001 /dev/zero > signature`],
    ['lacks the filter', `case "$*" in *signature=*) exit 1;; esac; ${TWO_FRAMES}`],
  ])('returns frames without a signature when it %s', async (_what, script) => {
    const { frames, signature } = await run(script);
    expect([frames?.length, signature]).toEqual([2 * FRAME_BYTES, undefined]);
  });

  it('gives no Video-Code when the signature is malformed', async () => {
    const { frames, signature } = await run(`${TWO_FRAMES}; echo malformed > signature`);
    expect([frames?.length, signature?.length]).toEqual([2 * FRAME_BYTES, 10]);
    expect(toVideoUnit(signature)).toBeUndefined();
  });
});

describe.skipIf(FFMPEG === undefined)('the video signature of ffmpeg', () => {
  const ffmpeg = FFMPEG ?? '';
  const pattern = makeVideo(['-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=25', '-t', '12']);
  const codeOf = async (video: Uint8Array) =>
    toVideoUnit((await read(ffmpeg, write(video), false)).signature)?.digest ?? new Uint8Array();

  it('has the same values as its XML form for all frames, whether or not the decoder also returns frames', async () => {
    const [file, xml] = [write(pattern), path.join(folder, 'signature.xml')];
    const filters = `fps=fps=5,signature=format=xml:filename=${xml}`;
    spawnSync(ffmpeg, ['-v', 'error', '-i', file, '-vf', filters, '-f', 'null', '-']);
    const expected = [...readFileSync(xml, 'utf8').matchAll(/<FrameSignature>([\d\s]+)</g)].map(
      ([, values]) => values?.trim().split(/\s+/).map(Number),
    );
    expect(expected).toHaveLength(60);
    const both = await read(ffmpeg, file);
    expect([...parseVideoSignature(both.signature ?? new Uint8Array())]).toEqual(expected);
    expect((both.frames?.length ?? 0) / FRAME_BYTES).toBe(24);
    expect((await read(ffmpeg, file, false)).signature).toEqual(both.signature);
  });

  it('gives a recompressed and smaller copy a similar code, and another video a different code', async () => {
    const code = await codeOf(pattern);
    const copy = await codeOf(changeVideo(pattern, ['-vf', 'scale=160:120', '-crf', '32']));
    expect(countDifferentBits(code.subarray(0, 8), copy.subarray(0, 8))).toBeLessThanOrEqual(6);
    const other = await codeOf(makeVideo(clip(1)));
    expect(countDifferentBits(code.subarray(0, 8), other.subarray(0, 8))).toBeGreaterThan(20);
  });

  it('is absent for a video with frames that cannot be decoded, but the decoder returns the other frames', async () => {
    const whole = makeVideo([...clip(2), '-movflags', '+faststart']);
    const { frames, signature } = await read(ffmpeg, write(whole.subarray(0, whole.length / 2)));
    expect(signature).toBeUndefined();
    expect(frames?.length).toBeGreaterThan(4 * FRAME_BYTES);
  });
});
