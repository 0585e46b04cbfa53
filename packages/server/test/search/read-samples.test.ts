import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MAX_SAMPLES_BYTES, readSamples, soundDemuxerOf } from '../../src/search/audio/read-samples.js';
import { READ_RATE } from '../../src/search/sound-mark.js';
import { convertSound } from '../support/converted-sound.js';
import { noisySound, toWavFile } from '../support/generated-sound.js';
import { FFMPEG } from '../support/videos.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-samples-'));
afterAll(() => rmSync(folder, { recursive: true }));

let written = 0;

function write(content: string | Uint8Array, mode = 0o600): string {
  const file = path.join(folder, `file-${written++}`);
  writeFileSync(file, content, { mode });
  return file;
}

function read(ffmpeg: string, file: string, demuxer = 'mp3'): Promise<Uint8Array> {
  const { signal } = new AbortController();
  return readSamples(ffmpeg, { path: file, demuxer, signal, limitMs: 25_000 });
}

describe('the decoder of sounds', () => {
  it('reads one file with one demuxer, in an empty environment and with limits', async () => {
    const program = write(
      '#!/bin/sh\necho "$@"; ulimit -v; ulimit -d; ulimit -t; ulimit -f; /usr/bin/env\n',
      0o755,
    );
    const file = write('sound');
    const answer = Buffer.from(await read(program, file)).toString();
    const [flags, addresses, memory, time, size, ...environment] = answer.trim().split('\n');
    expect(flags).toContain(' -protocol_whitelist file,pipe -codec_whitelist mp3,');
    expect(flags).toContain(` -f mp3 -t 60 -i file:${file} `);
    expect([addresses, memory, time, size]).toEqual(['524288', '262144', '30', '0']);
    expect(environment.filter((line) => !/^(PWD|SHLVL|_|OLDPWD)=/.test(line))).toEqual([]);
  });

  it('ends when its output reaches MAX_SAMPLES_BYTES, and returns nothing when the program is absent', async () => {
    const endless = write('#!/bin/sh\nexec cat /dev/zero\n', 0o755);
    expect(await read(endless, write('sound'))).toHaveLength(MAX_SAMPLES_BYTES);
    expect(await read(path.join(folder, 'absent'), write('sound'))).toHaveLength(0);
  });

  it.each([
    ['audio/mpeg', 'mp3'],
    ['audio/mp4', 'mov'],
    ['audio/ogg; codecs=opus', 'ogg'],
    ['audio/wav', undefined],
    ['video/mp4', undefined],
    ['application/vnd.apple.mpegurl', undefined],
  ])('has this demuxer for %s: %s', (mediaType, demuxer) => {
    expect(soundDemuxerOf(mediaType)).toBe(demuxer);
  });
});

describe.skipIf(FFMPEG === undefined)('ffmpeg', () => {
  const ffmpeg = FFMPEG ?? '';

  it('returns one channel of the first minute of a longer sound', async () => {
    const mp3 = convertSound(toWavFile(noisySound(1, 65), { channels: 2 }), 'mp3');
    const samples = await read(ffmpeg, write(mp3));
    expect(samples.length / 2 / READ_RATE).toBeCloseTo(60, 1);
  });

  it.each(['mp3', 'mov', 'aac', 'flac', 'ogg'])(
    'opens no address and no file of a playlist that claims to be %s',
    async (demuxer) => {
      let connections = 0;
      const server = createServer((socket) => {
        connections++;
        socket.destroy();
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as AddressInfo;
      const secret = path.join(folder, `secret-${demuxer}.mp3`);
      writeFileSync(secret, convertSound(toWavFile(noisySound(2, 1)), 'mp3'));
      try {
        for (const target of [`http://127.0.0.1:${port}/a.mp3`, `file:${secret}`]) {
          const playlists = [
            `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n${target}\n#EXT-X-ENDLIST\n`,
            `ffconcat version 1.0\nfile '${target}'\n`,
          ];
          for (const playlist of playlists)
            expect(await read(ffmpeg, write(playlist), demuxer)).toHaveLength(0);
        }
        expect(connections).toBe(0);
      } finally {
        server.close();
      }
    },
  );
});
