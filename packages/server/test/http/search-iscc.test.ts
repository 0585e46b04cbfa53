import { setTimeout as sleep } from 'node:timers/promises';
import {
  composeIscc,
  decodeIscc,
  describeWork,
  encodeIsccSequence,
  encodeIsccUnit,
  textUnit,
  toBase64,
} from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALTERATIONS, makePicture } from '../../../../bench/support/pictures.mjs';
import { computeIscc } from '../../src/cli/compute-iscc.js';
import { comparePage } from '../../src/search/iscc/stored-iscc.sql.js';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

const AS_TWO = { authorization: `Bearer ${OTHER_KEY}` };
const UNKNOWN_CID = `sha256:${'0'.repeat(64)}`;
const TEXT = Array.from(
  { length: 40 },
  (_, at) =>
    `On day ${at} the keeper saw ${at % 7} ships, and the wind was ${['calm', 'fair', 'foul'][at % 3]}.`,
).join(' ');
const EDITED = TEXT.replace('On day 12 the keeper', 'On day 12 nobody').replace(
  'day 30',
  'the last day but ten',
);

async function isccOf(content: Uint8Array | string) {
  const bytes = Buffer.from(content);
  return computeIscc(
    (async function* () {
      yield bytes;
    })(),
  );
}

async function untilCoded(service: Service, cid: string) {
  for (let tries = 0; tries < 300; tries++) {
    const stored = await (await service.send(`/v1/resource/${cid}/iscc`)).json();
    if (stored.iscc !== null) return stored;
    await sleep(100);
  }
  throw new Error('the ISCC was not computed');
}

describe('content by its ISCC', () => {
  let service: Service;
  let picture: Buffer;
  let [pictureCid, textCid] = ['', ''];

  const search = async (code: string, headers: Record<string, string> = {}) => {
    const answer = await service.send(`/v1/search/iscc?code=${encodeURIComponent(code)}`, { headers });
    return { status: answer.status, body: await answer.json() };
  };

  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    picture = await makePicture(2);
    pictureCid = (await (await service.upload(picture)).json()).cid;
    textCid = (await (await service.upload(TEXT)).json()).cid;
    for (const number of [3, 4]) await service.upload(await makePicture(number));
    for (const cid of [pictureCid, textCid]) await untilCoded(service, cid);
  });
  afterAll(() => service.stop());

  it('200: returns the Meta-Code of the present title, and none without a title', async () => {
    const metaCodeOf = async () =>
      (await (await service.send(`/v1/resource/${textCid}/iscc`)).json()).metaCode;
    const setTitle = (title: string | null) =>
      service.send(`/v1/resource/${textCid}`, { ...jsonPost({ title }), method: 'PATCH' });
    await setTitle('The log of the keeper');
    expect(await metaCodeOf()).toBe(encodeIsccUnit(describeWork({ name: 'The log of the keeper' }).unit));
    await setTitle(null);
    expect(await metaCodeOf()).toBeNull();
  });

  it('200: returns the soft binding, and 256-bit units; their first 64 bits are those of `colophon iscc`', async () => {
    for (const [cid, content] of [
      [pictureCid, picture],
      [textCid, TEXT],
    ] as const) {
      const stored = await untilCoded(service, cid);
      const { iscc, units } = await isccOf(content);
      expect([stored.cid, stored.iscc]).toEqual([cid, iscc]);
      const decoded = stored.units.map((unit: string) => decodeIscc(unit)[0]);
      expect(decoded.map(({ digest }: { digest: Uint8Array }) => digest.length)).toEqual([32, 32, 32]);
      expect(decoded.map((unit: never) => encodeIsccUnit(unit, 64))).toEqual(units);
      expect(composeIscc(decoded)).toBe(iscc);
      expect(stored.softBinding).toEqual({ alg: 'io.iscc.v0', value: toBase64(encodeIsccSequence(decoded)) });
    }
  });

  it('200 exact: finds the same bytes by the ISCC-CODE and by the Instance-Code alone', async () => {
    const { iscc, units } = await isccOf(picture);
    const { body } = await search(iscc);
    expect(body).toMatchObject({ verdict: 'exact', isComplete: true });
    expect(body.matches).toHaveLength(1);
    expect(body.matches[0]).toEqual({
      cid: pictureCid,
      type: 'image',
      score: 1,
      iscc,
      units: ['content', 'data', 'instance'].map((unit) => ({ unit, bits: 64, distance: 0 })),
    });
    expect((await search(units.at(-1) ?? '')).body).toMatchObject({
      verdict: 'exact',
      compared: 0,
      matches: [{ cid: pictureCid, units: [{ unit: 'instance', distance: 0 }] }],
    });
  });

  it('200 review: finds a recompressed picture and an edited text by their codes', async () => {
    const recompressed = await ALTERATIONS['JPEG q30']?.(picture);
    for (const [cid, altered] of [
      [pictureCid, recompressed ?? ''],
      [textCid, EDITED],
    ] as const) {
      const { body } = await search((await isccOf(altered)).iscc);
      expect([body.verdict, body.matches[0].cid, body.matches.length]).toEqual(['review', cid, 1]);
      const [content, , instance] = body.matches[0].units;
      expect(content.distance).toBeLessThanOrEqual(10);
      expect(instance.distance).toBeGreaterThan(0);
      expect(body.matches[0].score).toBeCloseTo(1 - content.distance / 64, 2);
    }
    const whole = encodeIsccUnit(textUnit(EDITED));
    expect((await search(whole)).body.matches).toMatchObject([
      { cid: textCid, units: [{ unit: 'content', bits: 256 }] },
    ]);
    const unlike = encodeIsccUnit(textUnit('A recipe for bread with rye, salt and a little honey.'));
    expect((await search(unlike)).body).toMatchObject({ verdict: 'no-match', matches: [], compared: 1 });
  });

  it('200: a Content-Code is near if at most 10 of its 64 bits differ', async () => {
    const [unit] = decodeIscc((await isccOf(picture)).units[0] ?? '');
    const withFlipped = (bits: number) => {
      const digest = (unit?.digest ?? new Uint8Array()).map((byte, at) =>
        at < Math.floor(bits / 8)
          ? byte ^ 0xff
          : at === Math.floor(bits / 8)
            ? byte ^ ((1 << (bits % 8)) - 1)
            : byte,
      );
      return encodeIsccUnit({ mainType: 'content', medium: 'image', digest });
    };
    expect((await search(withFlipped(10))).body.matches).toMatchObject([
      { cid: pictureCid, score: 0.844, units: [{ unit: 'content', bits: 64, distance: 10 }] },
    ]);
    expect((await search(withFlipped(11))).body).toMatchObject({ verdict: 'no-match', matches: [] });
  });

  it('200: another project finds nothing, and cannot read the ISCC', async () => {
    const { iscc } = await isccOf(picture);
    expect((await search(iscc, AS_TWO)).body).toEqual({
      verdict: 'no-match',
      matches: [],
      compared: 0,
      isComplete: true,
    });
    const answer = await service.send(`/v1/resource/${pictureCid}/iscc`, { headers: AS_TWO });
    expect(answer.status).toBe(404);
    expect((await service.send(`/v1/resource/${UNKNOWN_CID}/iscc`)).status).toBe(404);
  });

  it('compares a Content-Code page by page with codes of the same medium, and returns only the nearest', async () => {
    const { provenance } = service.context.databases;
    const [{ projectId } = { projectId: '' }] = await provenance.query<{ projectId: string }>(
      `select r.project_id as "projectId" from provenance.resource r where r.cid = $1`,
      [pictureCid],
    );
    const [{ digest } = { digest: new Uint8Array() }] = decodeIscc((await isccOf(picture)).units[0] ?? '');
    const asked = { medium: 'image', digest, limit: 2, maxNear: 1 } as const;
    await expect
      .poll(async () => {
        const page = await comparePage(provenance, projectId, {
          ...asked,
          limit: 9,
          maxDistance: 0,
          after: '',
        });
        return page.compared;
      })
      .toBe(3);
    const first = await comparePage(provenance, projectId, { ...asked, maxDistance: 64, after: '' });
    expect([first.compared, first.near.length]).toEqual([2, 1]);
    const last = await comparePage(provenance, projectId, {
      ...asked,
      maxDistance: 0,
      after: first.next ?? '',
    });
    expect([last.compared, last.next]).toEqual([1, undefined]);
  });

  it('400: names the fault of a code', async () => {
    const { iscc } = await isccOf(picture);
    for (const [code, fault] of [
      ['ISCC:81', /not base32/],
      [iscc.slice(0, -2), /base32|requires \d+ bytes/],
      ['ISCC:KQAAAAAAAAAAAAAA', /bytes/],
      ['ISCC:MAIGKV5FAAXOXYAB', /version 1/],
      ['ISCC:MAAQAAAAAAAAAAAA', /main type 6/],
      ['ISCC:EAIQAAAAAAAAAAAA', /version 1/],
      [encodeIsccUnit(textUnit(TEXT), 32), /at least 64 bits/],
      ['ISCC:EQAQAAAAAAAAAAAA', /no Instance-Code and no Content-Code/],
      ['ISCC:AAAQAAAAAAAAAAAA', /no Instance-Code and no Content-Code/],
    ] as const) {
      const { status, body } = await search(code);
      expect([code, status, body.error.code]).toEqual([code, 400, 'InvalidField']);
      expect(body.error.message).toMatch(fault);
      expect(body.error.details[0].path).toBe('code');
    }
  });
});

describe('an ISCC', () => {
  it('is also computed for a text that is too short for a descriptor', async () => {
    const service = await startService(ANY_ENGINE);
    try {
      const { cid } = await (await service.upload('a heron')).json();
      expect((await untilCoded(service, cid)).units).toHaveLength(3);
    } finally {
      await service.stop();
    }
  });
});
