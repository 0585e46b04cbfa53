import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHANGES, makeSound, toWav } from '../../../../bench/support/sounds.mjs';
import { readConfig } from '../../src/config.js';
import { ANY_ENGINE, OTHER_KEY, type Service, startService } from '../support/service.js';

const { fpcalc } = readConfig({ PATH: process.env.PATH }).search;

function fileForm(content: Uint8Array): RequestInit {
  const body = new FormData();
  body.set('file', new Blob([content as BlobPart]), 'file');
  return { method: 'POST', body };
}

describe.skipIf(fpcalc === undefined)('a search for known sound', () => {
  let service: Service;
  let cid: string;
  beforeAll(async () => {
    const environment = { PATH: process.env.PATH ?? '', MATCH_WAIT_MS: '10000' };
    service = await startService(ANY_ENGINE, { environment });
    ({ cid } = await (await service.upload(toWav(makeSound(1)))).json());
    await service.upload(toWav(makeSound(2)));
  });
  afterAll(() => service.stop());

  const search = async (samples: Float32Array, headers: Record<string, string> = {}) =>
    (await service.send('/v1/search/file', { ...fileForm(toWav(samples)), headers })).json();

  it.each(Object.entries(CHANGES))(
    '200 auto: finds the sound after this change: %s',
    async (_name, change) => {
      expect(await search(change(makeSound(1)))).toEqual({
        verdict: 'auto',
        matches: [{ cid, type: 'audio', method: 'audio-print/1', score: expect.any(Number) }],
      });
    },
  );

  it('200 no-match: another sound, and another project', async () => {
    expect((await search(makeSound(3))).verdict).toBe('no-match');
    const quieter = makeSound(1).map((value) => value / 2);
    expect((await search(quieter, { authorization: `Bearer ${OTHER_KEY}` })).verdict).toBe('no-match');
  });
});

describe('sound, without fpcalc', () => {
  it('415: cannot be compared when its bytes are not recorded', async () => {
    const service = await startService(ANY_ENGINE, { environment: { FPCALC: 'off' } });
    try {
      const answer = await service.send('/v1/search/file', fileForm(toWav(makeSound(1, 5))));
      expect([answer.status, (await answer.json()).error.code]).toEqual([415, 'Unsupported']);
    } finally {
      await service.stop();
    }
  });
});
