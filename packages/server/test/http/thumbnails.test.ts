import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { checkStore } from '../../src/integrity/check-store.js';
import { readThumbnail, storeThumbnail } from '../../src/records/write/thumbnails.sql.js';
import { drawThumbnail } from '../../src/search/worker/draw-thumbnail.js';
import { pngOfSize } from '../support/bombs.js';
import { convertSound } from '../support/converted-sound.js';
import { toWavFile } from '../support/generated-sound.js';
import { ANY_ENGINE, OTHER_KEY, type Service, startService } from '../support/service.js';
import { clip, FFMPEG, makeVideo } from '../support/videos.js';

const KIB = 1024;
const PDF = '%PDF-1.4\n1 0 obj<<>>endobj\n%%EOF';
const SOON = { timeout: 20_000, interval: 5 };
const PROJECT = namedProjectId('one');
/** No job describes content, so only thumbnails use the scheduler slots. */
const QUIET = { MATCH_WAIT_MS: '10000', ISCC: 'off', FPCALC: 'off', PDFTOPPM: 'off' };
const pathOf = (cid: string) => `/v1/resource/${cid}/thumbnail`;

let service: Service;
let seed = 0;

async function record(content: Uint8Array | string, entityId = 'ann'): Promise<string> {
  const answer = await service.upload(content, { entity: { id: entityId, role: 'human' } });
  return (await answer.json()).cid;
}

async function thumbnailOf(content: Uint8Array | string) {
  const answer = await service.send(pathOf(await record(content)));
  const body = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, body };
}

async function pictureOf(content: Uint8Array) {
  const { status, headers, body } = await thumbnailOf(content);
  expect([status, headers.get('content-type')], body.toString()).toEqual([200, 'image/webp']);
  expect(body.length).toBeLessThanOrEqual(24 * KIB);
  return body;
}

async function errorOf(cid: string) {
  const answer = await service.send(pathOf(cid));
  return { status: answer.status, ...(await answer.json()).error };
}

/** Each call gives another picture. */
function picture(): Promise<Buffer> {
  const background = { r: seed++ % 256, g: seed >> 8, b: 90 };
  return sharp({ create: { width: 80, height: 40, channels: 3, background } })
    .png()
    .toBuffer();
}

function sound(): Buffer {
  const samples = Float32Array.from({ length: 16_000 }, (_, at) =>
    at < 8_000 ? 0 : 0.9 * Math.sin((at + seed) / 5),
  );
  seed++;
  return toWavFile(samples);
}

/** The numbers of opaque pixels of two bars, near the beginning and near the end. */
async function barsOf(waveform: Buffer): Promise<[number, number]> {
  const { data, info } = await sharp(waveform).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, info.channels]).toEqual([256, 96, 4]);
  const heightAt = (x: number) =>
    Array.from({ length: info.height }, (_, y) => data[(y * info.width + x) * 4 + 3]).filter(Boolean).length;
  return [heightAt(21), heightAt(221)];
}

function countDrawings(): () => number {
  const { mock } = vi.spyOn(service.context.records.matching.pool, 'run');
  return () => mock.calls.filter(([task]) => task.kind === 'thumbnail').length;
}

const storedRows = () =>
  service.context.databases.provenance.query<{ digest: string }>(
    `select encode(t.content_digest, 'hex') as digest from provenance.thumbnail t`,
  );

describe('the thumbnail of a content', () => {
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment: { ...QUIET, FFMPEG: FFMPEG ?? 'off' } });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  afterAll(() => service.stop());

  it('of a photo is upright, small, and without metadata', async () => {
    const half = { create: { width: 200, height: 200, channels: 3, background: 'blue' } } as const;
    const photo = await sharp({ create: { width: 400, height: 200, channels: 3, background: 'red' } })
      .composite([{ input: await sharp(half).png().toBuffer(), left: 0, top: 0 }])
      .withExif({ IFD0: { Copyright: 'secret words' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const body = await pictureOf(photo);
    const { width, height, exif, icc, xmp, orientation } = await sharp(body).metadata();
    expect([width, height, exif, icc, xmp, orientation]).toEqual([128, 256, ...Array(4).fill(undefined)]);
    expect(body.includes('secret words')).toBe(false);
    // Orientation 6: the left side of the stored pixels is the top.
    const { data, info } = await sharp(body).raw().toBuffer({ resolveWithObject: true });
    const colourAt = (y: number) => data.subarray((y * info.width + 64) * info.channels).subarray(0, 3);
    expect([(colourAt(20)[2] ?? 0) > 200, (colourAt(230)[0] ?? 0) > 200]).toEqual([true, true]);
  });

  it('of a noisy picture with opacity fits into 24 KiB, and keeps its opacity', async () => {
    const noise = Buffer.alloc(600 * 600 * 4);
    let state = 7;
    for (let at = 0; at < noise.length; at++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      noise[at] = state >>> 24;
    }
    const png = await sharp(noise, { raw: { width: 600, height: 600, channels: 4 } })
      .png()
      .toBuffer();
    const body = await pictureOf(png);
    expect((await sharp(body).metadata()).hasAlpha).toBe(true);
  });

  it('of a small or grey picture is not larger than the picture', async () => {
    const grey = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'grey' } })
      .toColourspace('b-w')
      .png()
      .toBuffer();
    const { width, height } = await sharp(await pictureOf(grey)).metadata();
    expect([width, height]).toEqual([30, 20]);
  });

  it('of a sound is its waveform', async () => {
    const [silent, loud] = await barsOf(await pictureOf(sound()));
    expect([silent, loud > 80]).toEqual([2, true]);
  });

  it.skipIf(FFMPEG === undefined)('of a compressed sound is its waveform', async () => {
    const [silent, loud] = await barsOf(await pictureOf(convertSound(sound(), 'flac')));
    expect([silent, loud > 80]).toEqual([2, true]);
  });

  it.skipIf(FFMPEG === undefined)('of a video is one of its frames', async () => {
    const { width, height } = await sharp(await pictureOf(makeVideo(clip(++seed)))).metadata();
    expect([width, height]).toEqual([256, 192]);
  });

  it('of a text has its first lines, and ends with a whole character', async () => {
    const { headers, body } = await thumbnailOf(`ab${'€'.repeat(2_000)}`);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(body.toString()).toBe(`ab${'€'.repeat(340)}`);
    const lines = Array.from({ length: 40 }, (_, line) => `line ${line}`);
    expect((await thumbnailOf(lines.join('\r\n'))).body.toString()).toBe(lines.slice(0, 16).join('\n'));
  });

  it('of an HTML file is plain text, which no browser runs', async () => {
    const html = '<!DOCTYPE html>\n<script>alert(1)</script>';
    const { headers, body } = await thumbnailOf(html);
    expect(body.toString()).toBe(html);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
  });

  it('is private, and is not sent again to a caller that has it', async () => {
    const cid = await record(await picture());
    const { headers } = await service.send(pathOf(cid));
    expect(headers.get('cache-control')).toBe('private, max-age=86400');
    expect(headers.get('vary')).toContain('authorization');
    const etag = headers.get('etag') ?? '';
    const again = await service.send(pathOf(cid), { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('gets 204 if it is absent and the caller prefers `absent=no-content`, like an absent history', async () => {
    const prefer = { headers: { prefer: 'absent=no-content' } };
    const unknown = `/v1/bundle/sha256:${'0'.repeat(64)}`;
    for (const address of [pathOf(await record(Uint8Array.of(7, 255, 0))), unknown]) {
      const answer = await service.send(address, prefer);
      expect([answer.status, await answer.text()]).toEqual([204, '']);
      expect(answer.headers.get('preference-applied')).toBe('absent=no-content');
      expect((await service.send(address)).status).toBe(404);
    }
    expect((await service.send(pathOf('no-cid'), prefer)).status).toBe(400);
    expect((await service.send('/v1/entity/nobody', prefer)).status).toBe(404);
  });

  it('is not found with the key of another project, as for unknown content', async () => {
    const cid = await record(await picture());
    const asOther = { headers: { authorization: `Bearer ${OTHER_KEY}` } };
    const answer = await service.send(pathOf(cid), asOther);
    const { code, details } = (await answer.json()).error;
    expect([answer.status, code, details]).toEqual([404, 'NotFound', { cid }]);
  });

  it.each([
    ['a ZIP file', async () => Buffer.from('PK\x03\x04'.padEnd(64, '\0'), 'latin1'), 'unsupported'],
    ['a picture of 400 million pixels', async () => pngOfSize(20_000), 'undecodable'],
    ['a damaged picture', async () => (await picture()).subarray(0, 90), 'undecodable'],
    ['a damaged sound', async () => sound().subarray(0, 40), 'undecodable'],
    ['a PDF without a program to draw it', async () => Buffer.from(PDF), 'unsupported'],
    ['an empty file', async () => Buffer.alloc(0), 'unsupported'],
    ['blank text', async () => Buffer.from(' \n\t\n '), 'undecodable'],
  ])('does not exist for %s: the error names the type and the reason', async (_name, make, reason) => {
    const cid = await record(await make());
    const { mimeType } = await (await service.send(`/v1/resource/${cid}`)).json();
    const { status, code, details, recovery } = await errorOf(cid);
    expect([status, code, details]).toEqual([404, 'NotFound', { cid, mimeType, reason }]);
    expect(recovery).toContain('icon');
  });

  it('of a damaged picture is decoded once, and not for each request', async () => {
    const cid = await record((await picture()).subarray(0, 90));
    const drawings = countDrawings();
    const errors = [await errorOf(cid), await errorOf(cid), await errorOf(cid)];
    expect(errors.map(({ status, details }) => [status, details.reason])).toEqual(
      Array(3).fill([404, 'undecodable']),
    );
    expect(drawings()).toBe(1);
  });

  it('does not exist for a picture that needs more memory than MAX_PICTURE_BYTES', async () => {
    const task = { kind: 'thumbnail', as: 'image', bytes: await picture() } as const;
    const reason = expect.stringContaining('MAX_PICTURE_BYTES');
    expect(await drawThumbnail(task, 1_000)).toEqual({ kind: 'undrawn', reason });
  });

  it('is drawn once for two callers, and waits in the fair queue', async () => {
    const cid = await record(await picture());
    const drawings = countDrawings();
    const { free, busy } = holdSlot();
    const both = [service.send(pathOf(cid)), service.send(pathOf(cid))];
    await vi.waitFor(() => expect(waiting()).toBe(1), SOON);
    free();
    await busy;
    const [one, other] = await Promise.all(both.map(async (answer) => (await answer).arrayBuffer()));
    expect(one?.byteLength).toBeGreaterThan(20);
    expect(other).toEqual(one);
    expect(drawings()).toBe(1);
  });

  it('is not drawn after its callers have disconnected', async () => {
    const cid = await record(await picture());
    const drawings = countDrawings();
    const { free, busy } = holdSlot();
    const leaving = new AbortController();
    const gone = service.send(pathOf(cid), { signal: leaving.signal }).catch(() => 'left');
    await vi.waitFor(() => expect(waiting()).toBe(1), SOON);
    leaving.abort();
    await vi.waitFor(() => expect(waiting()).toBe(0), SOON);
    free();
    await busy;
    expect([await gone, drawings()]).toEqual(['left', 0]);
  });

  function holdSlot() {
    let free = () => {};
    const freed = new Promise<void>((resolve) => {
      free = resolve;
    });
    const { scheduler } = service.context.records;
    const places = service.config.work.places.describe - 1;
    const turn = { projectId: PROJECT, kind: 'describe' } as const;
    const held = Array.from({ length: Math.max(1, places) }, () => scheduler.run(turn, () => freed));
    return { free, busy: Promise.all(held) };
  }

  const waiting = () => service.context.records.scheduler.counts().describe.waiting;
});

describe('a stored thumbnail', () => {
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment: QUIET });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  afterAll(() => service.stop());

  it('is not drawn again, until it is deleted', async () => {
    const cid = await record(await picture());
    const drawings = countDrawings();
    const read = async () => Buffer.from(await (await service.send(pathOf(cid))).arrayBuffer());
    const first = await read();
    expect((await read()).equals(first)).toBe(true);
    expect(drawings()).toBe(1);
    await service.context.databases.provenance.query('delete from provenance.thumbnail');
    expect((await read()).equals(first)).toBe(true);
    expect(drawings()).toBe(2);
  });

  it('replaces another thumbnail with the same `slot`, so a project has a limited number of them', async () => {
    const { provenance } = service.context.databases;
    const digests = ['01', '02'].map((end) => `sha256:${'ab'.repeat(31)}${end}`);
    for (const contentDigest of digests) {
      const body = Buffer.from(contentDigest);
      await storeThumbnail(provenance, PROJECT, { contentDigest, mediaType: 'text/plain', body });
    }
    const stored = await Promise.all(digests.map((digest) => readThumbnail(provenance, PROJECT, digest)));
    expect(stored.map((one) => one?.body.toString())).toEqual([undefined, digests[1]]);
  });

  it('is deleted by an erasure of the entity that recorded the content', async () => {
    const kept = await record(await picture());
    const erased = await record(await picture(), 'bo');
    for (const cid of [kept, erased]) await service.send(pathOf(cid));
    const before = await storedRows();
    await service.send('/v1/entity/bo/personal-data', { method: 'DELETE' });
    expect((await storedRows()).length).toBe(before.length - 1);
    const drawings = countDrawings();
    for (const cid of [kept, erased]) expect((await service.send(pathOf(cid))).status).toBe(200);
    expect(drawings()).toBe(1);
  });

  it('is not shown when the bytes of its content are lost, and `fsck --repair` deletes it', async () => {
    const text = `lost ${++seed}`;
    const cid = await record(text);
    expect(await (await service.send(pathOf(cid))).text()).toBe(text);
    await service.loseBytes(text);
    const [shown, bytes] = await Promise.all(
      [pathOf(cid), `/v1/resource/${cid}/content`].map(async (place) => service.send(place)),
    );
    expect([shown?.status, bytes?.status]).toEqual([503, 503]);
    const before = (await storedRows()).length;
    const deps = { ...service.context.records, pinnerOf: async () => undefined };
    const options = { quick: true, repair: true, dropAltered: false, onProgress: () => {} };
    const findings = [];
    for await (const finding of checkStore(deps, options)) findings.push(finding);
    expect(findings).toContainEqual(expect.objectContaining({ problem: 'missing', cid }));
    expect((await storedRows()).length).toBeLessThan(before);
  });
});

describe('the thumbnail of a PDF', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-pages-'));
  beforeAll(async () => {
    const [program, page] = ['pdftoppm', 'page.png'].map((name) => path.join(folder, name)) as [
      string,
      string,
    ];
    const white = { width: 300, height: 500, channels: 3, background: 'white' } as const;
    writeFileSync(page, await sharp({ create: white }).png().toBuffer());
    // A shell script in place of pdftoppm. It fails for unexpected flags or limits, and for a damaged file.
    writeFileSync(
      program,
      `#!/bin/sh
      [ "$(ulimit -f) $(ulimit -t)" = "0 10" ] && [ "$*" = "-q -png -f 1 -l 1 -singlefile -scale-to 512 \${10}" ] &&
        ! grep -q damaged "\${10}" && /bin/cat ${page}`,
    );
    chmodSync(program, 0o755);
    service = await startService(ANY_ENGINE, { environment: { ...QUIET, PDFTOPPM: program } });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  it('is its first page, drawn by a program in a process with limits', async () => {
    const { width, height } = await sharp(await pictureOf(Buffer.from(PDF))).metadata();
    expect([width, height]).toEqual([154, 256]);
  });

  it('does not exist when the program fails', async () => {
    expect(await errorOf(await record(PDF.replace('obj', 'damaged')))).toMatchObject({
      status: 404,
      details: { mimeType: 'application/pdf', reason: 'undecodable' },
    });
  });
});
