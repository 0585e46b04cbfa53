import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { FRAME_BYTES, MAX_SAMPLES } from '../../src/search/video/frames.js';
import { readFrames, type VideoToRead } from '../../src/search/video/read-frames.js';
import { clip, FFMPEG, makeVideo } from '../support/videos.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-decoder-'));
afterAll(() => rmSync(folder, { recursive: true }));

let written = 0;

/** The script replaces ffmpeg. */
function program(script: string): string {
  const file = path.join(folder, `ffmpeg-${written++}`);
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

function read(ffmpeg: string, bytes: Uint8Array, more: Partial<VideoToRead> = {}): Promise<Uint8Array> {
  const { signal } = new AbortController();
  const content = (async function* () {
    yield bytes;
  })();
  return readFrames(ffmpeg, { content, demuxer: 'mov', signal, limitMs: 25_000, ...more });
}

const temporary = () => readdirSync(tmpdir()).filter((name) => name.startsWith('colophon-video-'));

/** Waits up to 10 s until no other process has this text in its command line. */
async function untilGone(text: string): Promise<boolean> {
  const isThere = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
      .some((name) => {
        try {
          return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text);
        } catch {
          return false; // the process has ended
        }
      });
  for (let tries = 0; tries < 100 && isThere(); tries++) await sleep(100);
  return !isThere();
}

describe('the decoder of videos', () => {
  it('gets one file that only this user can read, an empty environment and limits', async () => {
    const file = program(
      `for last; do case "$last" in file:*) stat -c %a "\${last#file:}";; esac; done
       echo "$@"; ulimit -v; ulimit -d; ulimit -t; ulimit -f; /usr/bin/env; head -c ${FRAME_BYTES} /dev/zero`,
    );
    const [mode, flags, addresses, memory, time, size, ...environment] = Buffer.from(
      await read(file, Buffer.from('video')),
    )
      .toString()
      .replaceAll('\0', '')
      .trim()
      .split('\n');
    expect(mode).toBe('600');
    expect(flags).toMatch(
      /-nostdin .*-protocol_whitelist file,pipe -codec_whitelist \S+ -f mov -t 120 -i file:\S+\/video /,
    );
    expect([addresses, memory, time, size]).toEqual(['524288', '262144', '30', '0']);
    expect(environment.filter((line) => !/^(PWD|SHLVL|_|OLDPWD)=/.test(line))).toEqual([]);
  });

  it('is killed at its time limit with its child processes, and the frames so far are used', async () => {
    const mark = `86399.${process.pid}`;
    const file = program(`head -c ${2 * FRAME_BYTES + 5} /dev/zero; sleep ${mark} & sleep ${mark}`);
    const startedMs = performance.now();
    const frames = await read(file, Buffer.from('video'), { limitMs: 500 });
    expect(frames.length).toBe(2 * FRAME_BYTES);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect(await untilGone(`sleep\0${mark}`)).toBe(true);
  });

  it('is killed when the caller leaves, and leaves no file', async () => {
    const before = temporary();
    const mark = `86398.${process.pid}`;
    const gone = new AbortController();
    const reading = read(program(`sleep ${mark}`), Buffer.from('video'), { signal: gone.signal });
    setTimeout(() => gone.abort(new Error('the caller left')), 300);
    await expect(reading).rejects.toThrow('the caller left');
    expect(await untilGone(`sleep\0${mark}`)).toBe(true);
    expect(temporary().filter((name) => !before.includes(name))).toEqual([]);
  });

  it('reads a file at a path directly, and writes no copy', async () => {
    const file = path.join(folder, 'received');
    writeFileSync(file, Buffer.alloc(FRAME_BYTES, 7));
    const before = temporary();
    const copying = program(
      `for last; do case "$last" in file:*) cat "\${last#file:}";; esac; done; sleep 0.5`,
    );
    const reading = read(copying, new Uint8Array(), { content: file });
    await sleep(300);
    expect(temporary().filter((name) => !before.includes(name))).toEqual([]);
    expect(Buffer.alloc(FRAME_BYTES, 7).equals(await reading)).toBe(true);
    expect(await read(copying, new Uint8Array(), { content: `${file}-absent` })).toHaveLength(0);
  });

  it('is killed when it returns more than the largest number of frames', async () => {
    const frames = await read(program('exec cat /dev/zero'), Buffer.from('video'));
    expect(frames.length).toBe(MAX_SAMPLES * FRAME_BYTES);
  });

  it('returns no frame when it fails, prints text or is absent', async () => {
    const failing = [program('exit 1'), program('echo nonsense'), path.join(folder, 'absent')];
    for (const file of failing) expect((await read(file, Buffer.from('video'))).length).toBe(0);
  });
});

describe.skipIf(FFMPEG === undefined)('ffmpeg', () => {
  const ffmpeg = FFMPEG ?? '';

  it('returns two frames a second of MP4, WebM and AVI', async () => {
    for (const [extension, demuxer] of [
      ['mp4', 'mov'],
      ['webm', 'matroska'],
      ['avi', 'avi'],
    ] as const) {
      const frames = await read(ffmpeg, makeVideo([...clip(1), '-t', '3'], extension), { demuxer });
      expect(frames.length / FRAME_BYTES, extension).toBe(6);
    }
  });

  it.each(['mov', 'matroska', 'avi'])(
    'opens no address and no file of a playlist that claims to be %s',
    async (demuxer) => {
      let connections = 0;
      const server = createServer((socket) => {
        connections++;
        socket.destroy();
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as AddressInfo;
      const secret = path.join(folder, `secret-${demuxer}.mp4`);
      writeFileSync(secret, makeVideo([...clip(2), '-t', '1']));
      const playlists = [
        `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nhttp://127.0.0.1:${port}/a.ts\n#EXT-X-ENDLIST\n`,
        `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile:${secret}\n#EXT-X-ENDLIST\n`,
        `ffconcat version 1.0\nfile 'http://127.0.0.1:${port}/a.mp4'\n`,
        `ffconcat version 1.0\nfile '${secret}'\n`,
        `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1"><BaseURL>http://127.0.0.1:${port}/a.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
        path.join(folder, '%d.png'),
      ];
      try {
        for (const playlist of playlists) {
          for (const head of ['', '\0\0\0\x10ftypisom\0\0\0\0'])
            expect((await read(ffmpeg, Buffer.from(head + playlist, 'latin1'), { demuxer })).length).toBe(0);
        }
        expect(connections).toBe(0);
      } finally {
        server.close();
      }
    },
  );
});
