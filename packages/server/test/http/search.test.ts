import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALTERATIONS, makePicture } from '../../../../bench/support/pictures.mjs';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

const AS_TWO = { authorization: `Bearer ${OTHER_KEY}` };
const TEXT =
  'A colophon tells at the end of a book who printed it, where, when, and with which type. '.repeat(4);

async function alter(name: keyof typeof ALTERATIONS, picture: Buffer): Promise<Buffer> {
  const change = ALTERATIONS[name];
  if (change === undefined) throw new Error(`There is no alteration ${name}`);
  return change(picture);
}

function fileForm(content: Uint8Array | string): RequestInit {
  const body = new FormData();
  body.set('file', new Blob([content as BlobPart]), 'file');
  return { method: 'POST', body };
}

describe('finding known content', () => {
  let service: Service;
  let pictures: Buffer[];
  let cids: string[];

  const search = async (content: Uint8Array | string, headers: Record<string, string> = {}) => {
    const answer = await service.send('/v1/search/file', { ...fileForm(content), headers });
    return { status: answer.status, body: await answer.json() };
  };

  /** A job makes each description that is not ready in time. */
  async function untilDescribed(count: number): Promise<void> {
    const { provenance } = service.context.databases;
    for (let tries = 0; tries < 100; tries++) {
      const [row] = await provenance.query<{ n: number }>(
        'select count(*)::int as n from provenance.descriptor',
      );
      if (row?.n === count) return;
      await sleep(100);
    }
    throw new Error('not everything was described');
  }

  beforeAll(async () => {
    // Long enough for a loaded machine.
    service = await startService(ANY_ENGINE, { environment: { MATCH_WAIT_MS: '10000' } });
    pictures = await Promise.all([0, 1, 2, 3, 4, 5, 6].map(makePicture));
    cids = [];
    for (const picture of pictures) cids.push((await (await service.upload(picture)).json()).cid);
    await service.upload(TEXT);
    await untilDescribed(8);
  });
  afterAll(() => service.stop());

  it('200 exact: finds the same bytes, under their CID and type', async () => {
    expect(await search(pictures[2] ?? '')).toEqual({
      status: 200,
      body: { verdict: 'exact', matches: [{ cid: cids[2], score: 1, method: 'sha256', type: 'image' }] },
    });
  });

  it.each(['JPEG q30', 'grayscale', 'resize to 25 %', 'turn by 90 degrees', 'flip left to right'])(
    '200 auto: finds a picture after: %s',
    async (name) => {
      const { body } = await search(await alter(name, pictures[0] ?? Buffer.alloc(0)));
      expect(body).toMatchObject({ verdict: 'auto', matches: [{ cid: cids[0], type: 'image' }] });
      expect(body.matches).toHaveLength(1);
    },
  );

  it('200: finds a picture sent as HEIC', async () => {
    const heic = readFileSync(new URL('../fixtures/heic/picture-3.heic', import.meta.url));
    const { body } = await search(heic);
    expect(body).toMatchObject({ verdict: 'auto', matches: [{ cid: cids[3], type: 'image' }] });
  });

  it('200: names the method, and the similarity', async () => {
    const { body } = await search(await alter('crop 10 %, one corner', pictures[3] ?? Buffer.alloc(0)));
    expect(['auto', 'review']).toContain(body.verdict);
    expect(body.matches[0]).toEqual({
      cid: cids[3],
      type: 'image',
      method: 'image-fit/2',
      score: expect.closeTo(0.95, 1),
    });
  });

  it('200: finds a text after small changes', async () => {
    const { body } = await search(TEXT.replaceAll('book', 'volume').toUpperCase());
    expect(body).toMatchObject({
      verdict: expect.stringMatching(/auto|review/),
      matches: [{ type: 'text' }],
    });
  });

  it.each(['utf-16le', 'utf-16be', 'utf-8'])(
    '200: finds a text in %s with its byte order mark',
    async (encoding) => {
      const marked = Buffer.from(`\ufeff${TEXT}`, encoding === 'utf-8' ? 'utf8' : 'utf16le');
      const { body } = await search(encoding === 'utf-16be' ? marked.swap16() : marked);
      expect(body).toMatchObject({ verdict: 'auto', matches: [{ type: 'text' }] });
    },
  );

  it('415: text in other encodings, and empty text', async () => {
    const statuses = [];
    for (const content of [
      Buffer.from('Dé'.repeat(200), 'latin1'),
      Buffer.alloc(0),
      Buffer.from([0xff, 0xfe]),
    ])
      statuses.push((await search(content)).status);
    expect(statuses).toEqual([415, 415, 415]);
  });

  it('200 no-match: finds nothing for another picture, or another text', async () => {
    for (const other of [
      await makePicture(70),
      'Nothing of this was ever written down in this project. '.repeat(3),
    ]) {
      expect(await search(other)).toEqual({ status: 200, body: { verdict: 'no-match', matches: [] } });
    }
  });

  it('does not store a file of a search', async () => {
    const sought = await makePicture(71);
    await search(sought);
    expect((await search(sought)).body.verdict).toBe('no-match');
  });

  it('separates projects, for exact and altered content', async () => {
    const altered = await alter('JPEG q30', pictures[0] ?? Buffer.alloc(0));
    for (const sought of [pictures[0] ?? '', altered, TEXT]) {
      expect((await search(sought, AS_TWO)).body).toEqual({ verdict: 'no-match', matches: [] });
    }
    expect((await service.send(`/v1/similar/${cids[0]}`, { headers: AS_TWO })).status).toBe(404);
    const recorded = await (await service.upload(altered, undefined, AS_TWO)).json();
    expect(recorded.matches).toEqual([]);
  });

  it('201: a recording lists similar content; 200: each of the two contents leads to the other', async () => {
    const altered = await alter('crop 10 %', pictures[6] ?? Buffer.alloc(0));
    const recorded = await (await service.upload(altered)).json();
    expect(recorded.matchesComplete).toBe(true);
    expect(recorded.matches).toEqual([
      { cid: cids[6], type: 'image', method: expect.any(String), score: expect.any(Number) },
    ]);
    for (const [asked, found] of [
      [cids[6], recorded.cid],
      [recorded.cid, cids[6]],
    ]) {
      const similar = await (await service.send(`/v1/similar/${asked}`)).json();
      expect(similar.matches.map(({ cid }: { cid: string }) => cid)).toEqual([found]);
    }
    const again = await service.upload(altered);
    expect(again.status).toBe(409);
    expect((await again.json()).error.details).toMatchObject({
      cid: recorded.cid,
      matches: [{ cid: cids[6] }],
    });
  });

  it('200: a repetition with the same Idempotency-Key gets the same matches', async () => {
    const altered = await alter('JPEG q30', pictures[5] ?? Buffer.alloc(0));
    const send = async () =>
      (await service.upload(altered, undefined, { 'idempotency-key': 'same-matches' })).json();
    const first = await send();
    expect(first.matches).toMatchObject([{ cid: cids[5] }]);
    await service.upload(await alter('grayscale', pictures[5] ?? Buffer.alloc(0)));
    expect(await send()).toEqual(first);
  });

  it('200: content of an unsupported kind has no similar content; 404: unknown content', async () => {
    const { cid } = await (await service.upload(Buffer.alloc(300, 1))).json();
    expect(await (await service.send(`/v1/similar/${cid}`)).json()).toEqual({
      verdict: 'no-match',
      matches: [],
    });
    expect((await service.send(`/v1/similar/sha256:${'0'.repeat(64)}`)).status).toBe(404);
    expect((await service.send('/v1/similar/nonsense')).status).toBe(400);
  });

  it('415: content of an unsupported kind can only be found by its exact bytes', async () => {
    expect((await search(Buffer.alloc(300, 2))).body.error.code).toBe('Unsupported');
    expect((await search(Buffer.alloc(300, 1))).body.verdict).toBe('exact');
  });

  it('422: a file that cannot be decoded, with the reason', async () => {
    const cut = (pictures[1] ?? Buffer.alloc(0)).subarray(0, 2_000);
    const flat = await (await import('sharp'))
      .default({ create: { width: 300, height: 300, channels: 3, background: 'blue' } })
      .png()
      .toBuffer();
    for (const bad of [cut, flat, 'too short']) {
      const { status, body } = await search(bad);
      expect([status, body.error.code]).toEqual([422, 'ValidationError']);
      expect(body.error.details).toEqual([
        { path: 'file', message: expect.stringMatching(/^(It|The picture) .+\.$/) },
      ]);
    }
  });

  it('records content that cannot be described', async () => {
    const cut = (pictures[1] ?? Buffer.alloc(0)).subarray(0, 2_000);
    const answer = await service.upload(cut);
    expect([answer.status, (await answer.json()).matches]).toEqual([201, []]);
  });

  it('200: finds a text by a part of more than 1 KiB with few words; a thread describes the part', async () => {
    const words = Array.from({ length: 30 }, (_, place) => `${'word'.repeat(25)}${place}`);
    const { cid } = await (await service.upload(words.join(' '), undefined, AS_TWO)).json();
    const text = words.slice(0, 15).join(' ');
    const answer = await service.send('/v1/search/text', jsonPost({ text }, AS_TWO));
    expect((await answer.json()).matches).toMatchObject([{ cid }]);
  });

  it('reports the method of vector search in /readyz', async () => {
    const { checks } = await (await service.send('/readyz')).json();
    expect(checks.search).toBe('ok (index in memory)');
  });
});

describe('a recording that does not wait', () => {
  it.each(['0', '1'])('describes its content afterwards (MATCH_WAIT_MS=%s)', async (waitMs) => {
    const service = await startService(ANY_ENGINE, { environment: { MATCH_WAIT_MS: waitMs } });
    try {
      const picture = await makePicture(2);
      const { cid, matches, matchesComplete } = await (await service.upload(picture)).json();
      expect([matches, matchesComplete]).toEqual([[], false]);
      const altered = await alter('grayscale', picture);
      for (let tries = 0; tries < 100; tries++) {
        const answer = await service.send('/v1/search/file', fileForm(altered));
        const { verdict, matches: found } = await answer.json();
        if (verdict !== 'no-match') {
          expect(found[0].cid).toBe(cid);
          return;
        }
        await sleep(100);
      }
      throw new Error('the picture was never described');
    } finally {
      await service.stop();
    }
  });
});
