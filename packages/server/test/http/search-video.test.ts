import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeIscc } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makePicture } from '../../../../bench/support/pictures.mjs';
import { makeSound, toWav } from '../../../../bench/support/sounds.mjs';
import { computeIscc } from '../../src/cli/compute-iscc.js';
import { readConfig } from '../../src/config.js';
import { createDescribeHandler } from '../../src/records/matching/describe-job.js';
import { DECODER_BYTES } from '../../src/search/run-decoder.js';
import { FRAME_BYTES, MAX_FRAMES_BYTES } from '../../src/search/video/frames.js';
import { ANY_ENGINE, OTHER_KEY, type Service, startService } from '../support/service.js';
import { clip, FFMPEG, makeVideo } from '../support/videos.js';

const { fpcalc } = readConfig({ PATH: process.env.PATH }).search;
const PATH = process.env.PATH ?? '';

function fileForm(content: Uint8Array): RequestInit {
  const body = new FormData();
  body.set('file', new Blob([content as BlobPart]), 'file');
  return { method: 'POST', body };
}

const MOVIE = Buffer.concat([
  Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2', 'latin1'),
  Buffer.alloc(4096),
]);

const searchIn =
  (service: Service) =>
  async (content: Uint8Array, headers: Record<string, string> = {}) =>
    (await service.send('/v1/search/file', { ...fileForm(content), headers })).json();

function isccOf(content: Uint8Array) {
  return computeIscc(
    (async function* () {
      yield content;
    })(),
    { ffmpeg: FFMPEG },
  );
}

async function untilDescribed(service: Service, cid: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const { rows } = await stored(service, cid);
    if (rows > 0) return;
    await sleep(100);
  }
  throw new Error(`${cid} was not described`);
}

async function stored(service: Service, cid: string): Promise<{ rows: number }> {
  const [row] = await service.context.records.provenance.query<{ rows: number }>(
    `select count(*)::int as rows from provenance.descriptor where cid = $1 or cid like $1 || '#%'`,
    [cid],
  );
  return row ?? { rows: 0 };
}

describe.skipIf(FFMPEG === undefined)('finding known videos', () => {
  let service: Service;
  let cid: string;
  let recorded: Uint8Array;
  let search: ReturnType<typeof searchIn>;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment: { PATH, MATCH_WAIT_MS: '10000' } });
    search = searchIn(service);
    recorded = makeVideo(clip(1));
    const answer = await (await service.upload(recorded)).json();
    expect([answer.matches, answer.matchesComplete]).toEqual([[], false]);
    ({ cid } = answer);
    const other = await (await service.upload(makeVideo(clip(2)))).json();
    await untilDescribed(service, cid);
    await untilDescribed(service, other.cid);
  });
  afterAll(() => service.stop());

  it.each([
    ['recompressed', () => makeVideo([...clip(1), '-crf', '35'])],
    ['rescaled, in WebM', () => makeVideo(clip(1, 'scale=160:120'), 'webm')],
    ['cut to its middle half', () => makeVideo(['-ss', '2.2', ...clip(1), '-t', '4'])],
    ['letterboxed', () => makeVideo(clip(1, 'scale=320:180,pad=320:240:0:30'))],
    ['mirrored', () => makeVideo(clip(1, 'hflip'))],
  ])('200 auto: finds a video that was: %s', async (_name, make) => {
    expect(await search(make())).toEqual({
      verdict: 'auto',
      matches: [{ cid, type: 'video', method: 'video-frames/1', score: expect.any(Number) }],
    });
  });

  it('a described video has the ISCC of `colophon iscc`, by which a recompressed copy is found', async () => {
    const { iscc, units } = await (await service.send(`/v1/resource/${cid}/iscc`)).json();
    expect(iscc).toBe((await isccOf(recorded)).iscc);
    const kinds = units.map((unit: string) =>
      decodeIscc(unit).map(({ mainType, medium }) => medium ?? mainType),
    );
    expect(kinds).toEqual([['video'], ['data'], ['instance']]);
    const find = async (code = '') => (await service.send(`/v1/search/iscc?code=${code}`)).json();
    const copy = await isccOf(makeVideo([...clip(1), '-crf', '35']));
    const { verdict, matches } = await find(copy.units[0]);
    expect([verdict, matches.map((match: { cid: string }) => match.cid)]).toEqual(['review', [cid]]);
    expect(matches[0].units[0].distance).toBeLessThanOrEqual(5);
    expect(await find((await isccOf(makeVideo(clip(4)))).units[0])).toMatchObject({
      verdict: 'no-match',
      compared: 2,
    });
  });

  it('a described video that lacks only its ISCC gets the same ISCC again', async () => {
    const { records } = service.context;
    const send = async () => (await service.send(`/v1/resource/${cid}/iscc`)).json();
    const stored = await send();
    const [content] = await records.provenance.query<{ projectId: string; payload: Record<string, unknown> }>(
      `with gone as (delete from provenance.iscc where cid = $1)
       select project_id as "projectId", jsonb_build_object('cid', cid, 'contentDigest',
         'sha256:' || encode(content_digest, 'hex'), 'mimeType', mime_type, 'sizeBytes', size_bytes) as payload
       from provenance.resource where cid = $1`,
      [cid],
    );
    if (content === undefined) throw new Error('the content is not recorded');
    expect((await send()).iscc).toBeNull();
    const job = { ...content, id: cid, kind: 'describe-video', attempt: 1, claim: '' };
    await createDescribeHandler(records)(job, new AbortController().signal);
    expect(await send()).toEqual(stored);
  });

  it('200: a video with the same beginning does not get the verdict `auto`; another video has no match', async () => {
    const joined = makeVideo([
      ...[...clip(1), ...clip(3)],
      ...['-filter_complex', '[0:v]trim=0:3,setpts=PTS-STARTPTS[a];[1:v]trim=0:5[b];[a][b]concat=n=2:v=1'],
    ]);
    expect((await search(joined)).verdict).not.toBe('auto');
    expect(await search(makeVideo(clip(4)))).toEqual({ verdict: 'no-match', matches: [] });
  });

  it('200 no-match: a copy of the video in another project', async () => {
    const content = makeVideo([...clip(1), '-crf', '35']);
    expect((await search(content, { authorization: `Bearer ${OTHER_KEY}` })).verdict).toBe('no-match');
  });

  it('422: a video that shows nothing', async () => {
    const black = makeVideo(['-f', 'lavfi', '-i', 'color=black:s=64x64:r=10', '-t', '2']);
    const answer = await service.send('/v1/search/file', fileForm(black));
    expect([answer.status, (await answer.json()).error.details[0].message]).toEqual([
      422,
      'It shows too little for a comparison.',
    ]);
  });

  it.skipIf(fpcalc === undefined)('200 review: a video with the same sound and other pictures', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'colophon-sound-of-'));
    const wav = path.join(folder, 'sound.wav');
    writeFileSync(wav, toWav(makeSound(1)));
    const withSound = (number: number) =>
      makeVideo([...clip(number), '-t', '30', '-i', wav, '-shortest', '-c:a', 'aac']);
    try {
      const first = await (await service.upload(withSound(11))).json();
      await untilDescribed(service, first.cid);
      const match = { cid: first.cid, type: 'video', method: 'audio-print/1', score: expect.any(Number) };
      expect(await search(withSound(12))).toEqual({ verdict: 'review', matches: [match] });
      expect(await search(toWav(makeSound(1)))).toEqual({ verdict: 'review', matches: [match] });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a decoder of videos that hangs', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-hanging-'));
  const hanging = path.join(folder, 'ffmpeg');
  writeFileSync(hanging, '#!/bin/sh\nexec sleep 600\n');
  chmodSync(hanging, 0o755);
  afterAll(() => rmSync(folder, { recursive: true }));

  const both = [{}, { authorization: `Bearer ${OTHER_KEY}` }];

  it.each([
    ['of another project, with the default memory', both.slice(0, 1), both.slice(1), {}],
    ['of a project with videos, with 1 GiB of memory', both, both, { WORKER_MEMORY_BYTES: String(2 ** 30) }],
  ])('delays no picture %s', async (_, withVideos, withPictures, memory) => {
    const limits = vi.spyOn(AbortSignal, 'timeout');
    const environment = { PATH, FFMPEG: hanging, MATCH_WAIT_MS: '0', ...memory };
    const service = await startService(ANY_ENGINE, { environment });
    const { provenance, scheduler } = service.context.records;
    const waiting = async (kind: string) => {
      const rows = await provenance.query('select id from provenance.outbox where kind = $1', [kind]);
      return rows.length;
    };
    try {
      for (const headers of withVideos)
        for (let number = 0; number < 6; number++)
          await service.upload(Buffer.concat([MOVIE, Buffer.from([number])]), undefined, headers);
      // A node of an earlier version queues videos with this kind.
      const sql = `update provenance.outbox set kind = 'describe' where kind = 'describe-video' and claim is null`;
      await provenance.query(sql);
      await expect.poll(() => scheduler.counts().video.running).toBeGreaterThan(0);
      for (const [number, headers] of withPictures.entries()) {
        const picture = await makePicture(7 + number);
        const { cid } = await (await service.upload(picture, undefined, headers)).json();
        await untilDescribed(service, cid);
      }
      await expect.poll(() => waiting('describe')).toBe(0);
      expect(await waiting('describe-video')).toBe(6 * withVideos.length);
      const times = limits.mock.calls.map(([ms]) => ms);
      expect([times.includes(240_000), times.includes(480_000)]).toEqual([true, true]);
    } finally {
      limits.mockRestore();
      await service.stop();
    }
  });

  it('does not delay the work of other projects, and ends with the service', async () => {
    const service = await startService(ANY_ENGINE, {
      environment: { PATH, FFMPEG: hanging, MATCH_WAIT_MS: '10000' },
    });
    const gone = new AbortController();
    try {
      const search = service.send('/v1/search/file', { ...fileForm(MOVIE), signal: gone.signal });
      search.catch(() => {});
      const { cid } = await (await service.upload(MOVIE)).json();
      await expect.poll(() => service.context.records.scheduler.counts().video.running).toBe(1);
      const other = { authorization: `Bearer ${OTHER_KEY}` };
      const picture = await makePicture(7);
      const recorded = await (await service.upload(picture, undefined, other)).json();
      expect(recorded.matchesComplete).toBe(true);
      const smaller = await makePicture(8);
      expect((await searchIn(service)(smaller, other)).verdict).toBe('no-match');
      expect((await stored(service, cid)).rows).toBe(0);
    } finally {
      gone.abort();
      const startedMs = performance.now();
      await service.stop();
      expect(performance.now() - startedMs).toBeLessThan(15_000);
    }
  });
});

describe('the description of a video', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-reserved-'));
  const program = (name: string, script: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return file;
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(['search', 'recording'])(
    'reserves the memory of the decoder and the frames until the end of the work: %s',
    async (use) => {
      const environment = {
        PATH,
        FFMPEG: program('ffmpeg', `sleep 1; head -c ${4 * FRAME_BYTES} /dev/urandom`),
        FPCALC: program('fpcalc', `touch ${folder}/${use}; sleep 2`),
      };
      const service = await startService(ANY_ENGINE, { environment });
      const { scheduler } = service.context.records;
      const reserved = () => [scheduler.counts().video.running, scheduler.memoryBytes()];
      try {
        const work = use === 'search' ? searchIn(service)(MOVIE) : service.upload(MOVIE);
        await expect.poll(() => scheduler.counts().video.running).toBe(1);
        const needed = [1, DECODER_BYTES + 2 * MAX_FRAMES_BYTES];
        expect(reserved()).toEqual(needed);
        await expect.poll(() => existsSync(path.join(folder, use))).toBe(true);
        expect(reserved()).toEqual(needed);
        await work;
      } finally {
        await service.stop();
      }
    },
  );
});

describe('a video of another project in the background', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-gives-way-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('gives way to a search that needs its memory or its slot, and is described later', async () => {
    const FFMPEG = path.join(folder, 'ffmpeg');
    const script = `for last; do case "$last" in file:*) grep -q slow "\${last#file:}" && sleep 5;; esac; done
      head -c ${4 * FRAME_BYTES} /dev/urandom`;
    writeFileSync(FFMPEG, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    // While the video has two thirds of this memory, a search by a picture does not fit.
    const memory = {
      WORKER_MEMORY_BYTES: String(96 * 2 ** 20),
      WORK_MAX_WAIT_MS: '3000',
      MATCH_WAIT_MS: '0',
    };
    const service = await startService(ANY_ENGINE, { environment: { PATH, FFMPEG, ...memory } });
    const { counts } = service.context.records.scheduler;
    const headers = { authorization: `Bearer ${OTHER_KEY}` };
    try {
      const slow = Buffer.concat([MOVIE, Buffer.from('slow')]);
      const { cid } = await (await service.upload(slow)).json();
      for (const content of [await makePicture(7), MOVIE]) {
        await expect.poll(() => counts().video.running).toBe(1);
        const answer = await service.send('/v1/search/file', { ...fileForm(content), headers });
        expect([answer.status, (await answer.json()).verdict]).toEqual([200, 'no-match']);
        expect((await stored(service, cid)).rows).toBe(0);
      }
      await untilDescribed(service, cid);
    } finally {
      await service.stop();
    }
  });
});

describe('video, without ffmpeg', () => {
  it('415: can only be found by its bytes, and the answer names the program', async () => {
    const service = await startService(ANY_ENGINE, { environment: { PATH, FFMPEG: 'off' } });
    try {
      const answer = await service.send('/v1/search/file', fileForm(MOVIE));
      const { error } = await answer.json();
      expect([answer.status, error.code]).toEqual([415, 'Unsupported']);
      expect(error.recovery).toContain('ffmpeg');
      await service.upload(MOVIE);
      expect((await searchIn(service)(MOVIE)).verdict).toBe('exact');
    } finally {
      await service.stop();
    }
  });
});
