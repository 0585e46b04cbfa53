import { describe, expect, it } from 'vitest';
import { CODE_BITS, decodePayload, encodePayload } from '../../src/watermark/payload-code.js';
import { scoreOf, smallestScore } from '../../src/watermark/score.js';
import { sequence } from './pictures.js';

const next = sequence(11);
const payload = () => BigInt(Math.floor(next() * 2 ** 32)) * 2n ** 32n + BigInt(Math.floor(next() * 2 ** 32));

describe('the code of a payload', () => {
  it('decodes to the payload although 20 % of the bits of the code are wrong', () => {
    for (let round = 0; round < 20; round++) {
      const sent = payload();
      const soft = Float32Array.from(encodePayload(sent), (sign, at) =>
        at % 5 === round % 5 ? -sign : sign,
      );
      expect(decodePayload(soft)).toBe(sent);
    }
  });

  it('differs in at least 24 bits between two payloads with one different bit, for 320 pairs', () => {
    for (let round = 0; round < 320; round++) {
      const sent = payload();
      const other = encodePayload(sent ^ (1n << BigInt(round % 64)));
      expect(encodePayload(sent).filter((sign, at) => sign !== other[at]).length).toBeGreaterThanOrEqual(24);
    }
  });

  it('has a score below `smallestScore` for each of 100 sequences of random bits', () => {
    for (let round = 0; round < 100; round++) {
      const soft = Float32Array.from({ length: CODE_BITS }, () => (next() < 0.5 ? -1 : 1));
      expect(scoreOf(soft, decodePayload(soft))).toBeLessThan(smallestScore);
    }
  });
});
