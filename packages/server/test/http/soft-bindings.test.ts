import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  decodeIscc,
  decodeIsccSequence,
  encodeIsccSequence,
  encodeIsccUnit,
  parseManifestStore,
  toBase64,
} from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALTERATIONS, makePicture } from '../../../../bench/support/pictures.mjs';
import { computeIscc } from '../../src/cli/compute-iscc.js';
import { digestBinding, toImageBinding } from '../../src/records/matching/soft-binding.js';
import { describeImage } from '../../src/search/worker/describe-image.js';
import { define } from '../support/manifests.js';
import { openMediaDesk } from '../support/media-desk.js';
import { createMediaClient } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

it('the digest of a soft binding is the same in both base64 alphabets, with and without padding', () => {
  const digest = digestBinding({ alg: 'x', value: 'a+/b' });
  expect(digestBinding({ alg: 'x', value: 'a-_b==' })).toBe(digest);
  expect(digestBinding({ alg: 'x', value: 'a=/b' })).not.toBe(digest);
  const row = '='.repeat(65_000);
  expect(digestBinding({ alg: 'x', value: `${row}a` })).not.toBe(digestBinding({ alg: 'x', value: 'a' }));
  expect(digestBinding({ alg: 'x', value: row })).toBe(digestBinding({ alg: 'x', value: '' }));
});

const AS_TWO = { authorization: `Bearer ${OTHER_KEY}` };

describe('finding manifests', () => {
  let service: Service;
  let signed: Uint8Array;
  let stripped: Buffer;
  let label: string;
  const { embed, bytesOf, post } = createMediaClient(() => service);

  const byContent = (content: Uint8Array, headers: Record<string, string> = {}) =>
    service.send('/v1/c2pa/matches/byContent', {
      method: 'POST',
      body: content as BodyInit,
      headers: { 'content-type': 'image/png', ...headers },
    });

  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment: { MATCH_WAIT_MS: '10000' } });
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
    const made = await embed(await makePicture(0), {});
    signed = await bytesOf(made.body.cid);
    label = made.body.manifest.label;
    // Decoding and encoding removes the manifest.
    stripped = (await ALTERATIONS['crop 10 %']?.(Buffer.from(signed))) ?? Buffer.alloc(0);
    for (const number of [1, 2, 3]) await service.upload(await makePicture(number));
  });
  afterAll(() => service.stop());

  it('200: a cropped picture without a manifest leads to the manifest of the original', async () => {
    const answer = await byContent(stripped);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { matches: [{ manifestId: label, similarityScore: expect.any(Number) }] },
    ]);
    const exact = await (await byContent(signed)).json();
    expect(exact.matches).toEqual([{ manifestId: label, similarityScore: 100 }]);
  });

  it('200: returns the manifest store as in the signed file, or only its active manifest', async () => {
    const target = `/v1/c2pa/manifests/${encodeURIComponent(label)}`;
    const answer = await service.send(target);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/c2pa']);
    const store = Buffer.from(await answer.arrayBuffer());
    expect(Buffer.from(signed).includes(store)).toBe(true);
    expect(store.toString('latin1', 4, 8)).toBe('jumb');
    const active = Buffer.from(
      await (await service.send(`${target}?returnActiveManifest=true`)).arrayBuffer(),
    );
    expect(store.includes(active)).toBe(true);
    expect(active.length).toBeLessThan(store.length);
  });

  it('200: content without a manifest leads to no manifest', async () => {
    expect(await (await byContent(await makePicture(1))).json()).toEqual({ matches: [] });
  });

  it('200: a soft binding in the query or in a body leads to the manifest', async () => {
    const description = await describeImage(stripped);
    if (description.kind === 'nothing') throw new Error(description.reason);
    const sha256 = createHash('sha256').update(signed).digest('base64');
    const picture = toImageBinding(description.described);
    const url = `/v1/c2pa/matches/byBinding?alg=colophon.sha256&value=${encodeURIComponent(sha256)}`;
    expect((await (await service.send(url)).json()).matches).toEqual([
      { manifestId: label, similarityScore: 100 },
    ]);
    const body = jsonPost({ alg: 'colophon.image-512.1', value: picture });
    const answer = await (await service.send('/v1/c2pa/matches/byBinding', body)).json();
    expect(answer.matches).toMatchObject([{ manifestId: label }]);
  });

  it('200: a soft binding inside an imported file leads to the manifest of the file in its project only', async () => {
    const desk = await openMediaDesk();
    const plain = define();
    const watermark = {
      label: 'c2pa.soft-binding',
      data: { alg: 'com.example.watermark', blocks: [{ scope: {}, value: 'a+/Y=' }] },
    };
    const definition = { ...plain, assertions: [...(plain.assertions as object[]), watermark] };
    const { signed: file } = await desk.sign(await makePicture(8), 'image/png', { definition });
    await desk.close();
    const imported = await post('import', { file });
    expect(imported.status).toBe(201);
    const ask = async (value: string, headers = {}) =>
      (
        await service.send(
          '/v1/c2pa/matches/byBinding',
          jsonPost({ alg: 'com.example.watermark', value }, headers),
        )
      ).json();
    const found = await ask('a+/Y=');
    expect(found.matches).toEqual([{ manifestId: expect.stringContaining('c2pa'), similarityScore: 100 }]);
    expect(await ask('a-_Y')).toEqual(found);
    const id = encodeURIComponent(found.matches[0].manifestId);
    const store = Buffer.from(await (await service.send(`/v1/c2pa/manifests/${id}`)).arrayBuffer());
    expect(file.includes(store)).toBe(true);
    expect(await ask('a+/Z')).toEqual({ matches: [] });
    expect(await ask('a+/Y=', AS_TWO)).toEqual({ matches: [] });
  });

  it('200: each form of the ISCC of a recompressed copy leads to the manifest, only in its project', async () => {
    const bytes = await ALTERATIONS['JPEG q30']?.(await makePicture(0));
    const { iscc, units } = await computeIscc(Readable.from([bytes]));
    const sequence = toBase64(encodeIsccSequence(units.flatMap(decodeIscc)));
    for (const value of [iscc, sequence, units[0] ?? '']) {
      const ask = async (headers = {}) =>
        (
          await service.send('/v1/c2pa/matches/byBinding', jsonPost({ alg: 'io.iscc.v0', value }, headers))
        ).json();
      await expect.poll(async () => (await ask()).matches.length, { timeout: 30_000 }).toBe(1);
      const { matches } = await ask();
      expect(matches[0].manifestId).toBe(label);
      expect(matches[0].similarityScore).toBeGreaterThan(80);
      expect(await ask(AS_TWO)).toEqual({ matches: [] });
    }
  });

  it('200: the ISCC in a signed file is that of the unsigned content, and leads to the manifest', async () => {
    const desk = await openMediaDesk();
    const outcome = await desk.readStore(signed, 'image/png');
    await desk.close();
    const [binding, ...others] = parseManifestStore(outcome.store).active.softBindings;
    expect(others).toEqual([]);
    const { units } = await computeIscc(Readable.from([await makePicture(0)]));
    const asserted = decodeIsccSequence(Buffer.from(binding?.value ?? '', 'base64'));
    expect(binding?.alg).toBe('io.iscc.v0');
    expect(asserted.map((unit) => encodeIsccUnit(unit, 64))).toEqual(units);
    const answer = await service.send('/v1/c2pa/matches/byBinding', jsonPost(binding));
    expect((await answer.json()).matches).toEqual([{ manifestId: label, similarityScore: 100 }]);
  });

  it('400: a soft binding with an invalid value for its algorithm', async () => {
    const numbers = (value: number) => {
      const bytes = Buffer.alloc(512 * 4 + 4096);
      for (let index = 0; index < 512; index++) bytes.writeFloatLE(value, index * 4);
      return bytes.toString('base64');
    };
    for (const [alg, value] of [
      ['colophon.sha256', 'AAAA'],
      ['colophon.image-512.1', 'AAAA'],
      ['colophon.image-512.1', numbers(Number.NaN)],
      ['colophon.image-512.1', numbers(Number.POSITIVE_INFINITY)],
      ['colophon.image-512.1', numbers(0)],
      ['io.iscc.v0', 'AAAA'],
      ['io.iscc.v0', 'ISCC:MAAQAAAAAAAAAAAA'],
    ]) {
      const answer = await service.send('/v1/c2pa/matches/byBinding', jsonPost({ alg, value }));
      expect([answer.status, (await answer.json()).error.code]).toEqual([400, 'InvalidField']);
    }
  });

  it('200: lists the supported algorithms', async () => {
    const { fingerprints } = await (await service.send('/v1/c2pa/services/supportedAlgorithms')).json();
    expect(fingerprints.map(({ alg }: { alg: string }) => alg)).toEqual([
      'colophon.sha256',
      'colophon.image-512.1',
      'io.iscc.v0',
    ]);
  });

  it('another project gets 404 for the manifest, and no match for its content', async () => {
    expect(
      (await service.send(`/v1/c2pa/manifests/${encodeURIComponent(label)}`, { headers: AS_TWO })).status,
    ).toBe(404);
    expect(await (await byContent(stripped, AS_TWO)).json()).toEqual({ matches: [] });
    expect((await service.send('/v1/c2pa/manifests/urn:c2pa:none')).status).toBe(404);
  });

  it('401 without a key; 405 for another method', async () => {
    const nobody = await fetch(`${service.base}/v1/c2pa/services/supportedAlgorithms`);
    expect(nobody.status).toBe(401);
    expect((await service.send('/v1/c2pa/matches/byContent')).status).toBe(405);
  });
});
