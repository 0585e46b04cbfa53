import type { Detection, StoredSoftBinding } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { define } from '../support/manifests.js';
import { type MediaDesk, openMediaDesk } from '../support/media-desk.js';
import { allowDetection, createMarkClient, createMediaClient, SAID } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';
import { authorityForPeople, makeSigner, trustAnchorPem } from '../support/signers.js';
import { texturedPicture } from '../support/textured-picture.js';
import { transplantMark } from '../support/transplant-mark.js';

describe('a watermark that was copied to a file with another manifest', () => {
  let service: Service;
  let desk: MediaDesk;
  let forged: Buffer;
  let binding: StoredSoftBinding;
  let label: string;
  const { bytesOf } = createMediaClient(() => service);
  const { mark, detect } = createMarkClient(() => service, { ...SAID, aiDisclosure: 'ai_generated' });

  beforeAll(async () => {
    const environment = {
      ...{ PUBLIC_DETECTOR: 'true', PUBLIC_DETECTOR_RPM: '100000' },
      C2PA_TRUST_ANCHORS: trustAnchorPem,
    };
    service = await startService(ANY_ENGINE, { environment });
    desk = await openMediaDesk();
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
    await allowDetection(service);
    const unmarked = await (await texturedPicture(20)).png().toBuffer();
    const { cid } = await mark(unmarked);
    await service.send('/v1/publications', jsonPost({ cid }));
    const resource = await (await service.send(`/v1/resource/${cid}`)).json();
    ({ watermark: binding, manifestLabel: label } = resource.extensions['ext:c2pa@1.0.0']);
    const other = (await texturedPicture(21)).flop();
    forged = await transplantMark({ unmarked, marked: await bytesOf(cid) }, other);
  });
  afterAll(async () => {
    await desk.close();
    await service.stop();
  });

  const signer = makeSigner();
  const stranger = makeSigner({ issuer: authorityForPeople });
  async function detectSigned(value: string | undefined, more: object = {}, by = signer): Promise<Detection> {
    const plain = define();
    const data = { alg: binding.alg, blocks: [{ scope: {}, value }] };
    const assertions = [
      ...(plain.assertions as object[]),
      ...(value === undefined ? [] : [{ label: 'c2pa.soft-binding', data }]),
    ];
    const definition = { ...plain, assertions, ...more };
    const { signed } = await desk.sign(forged, 'image/png', { definition, signer: by });
    return detect(signed);
  }
  const watermarkIn = ({ layers }: Detection) => layers.find(({ kind }) => kind === 'watermark');

  it('has medium confidence if a trusted signer names the same watermark', async () => {
    const found = await detectSigned(binding.value);
    expect(found.layers).toMatchObject([
      { kind: 'manifest', state: 'trusted' },
      {
        ...{ kind: 'watermark', confidence: 'medium' },
        says: expect.stringContaining('and so does the manifest of the file.'),
      },
    ]);
  });

  it('has medium confidence if a trusted signer signed the manifest of the recorded content', async () => {
    expect(watermarkIn(await detectSigned(undefined, { label }))?.confidence).toBe('medium');
  });

  it.each([
    ['names another watermark', 'AAAAAAAH', signer, /names another watermark/],
    ['names no watermark', undefined, signer, /points to published content\. .*proves no origin/],
  ])('has low confidence if a trusted manifest %s', async (_, value, by, says) => {
    const found = watermarkIn(await detectSigned(value, {}, by));
    expect(found).toMatchObject({ confidence: 'low', says: expect.stringMatching(says) });
  });

  it('has low confidence if a signer that the service does not trust names the same watermark', async () => {
    const found = await detectSigned(binding.value, {}, stranger);
    expect(found.layers).toMatchObject([
      { kind: 'manifest', state: 'valid' },
      { kind: 'watermark', confidence: 'low' },
    ]);
    const again = watermarkIn(await detectSigned(undefined, { label }, stranger));
    expect(again?.confidence).toBe('low');
  });
});
