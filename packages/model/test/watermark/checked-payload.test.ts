import { describe, expect, it } from 'vitest';
import { addChecksum, MARK_BITS, readChecked } from '../../src/watermark/checked-payload.js';
import { decodePayload, encodePayload, PAYLOAD_BITS } from '../../src/watermark/payload-code.js';
import { sequence } from './pictures.js';

const next = sequence(5);
const payload = () => BigInt(Math.floor(next() * 2 ** MARK_BITS));

describe('the checksum of a payload', () => {
  it('is the CRC-16 of ITU-T V.41 with the start value 0xffff: 0x2ef4 for the bytes of "123456"', () => {
    expect(addChecksum(0x31_32_33_34_35_36n) & 0xffffn).toBe(0x2ef4n);
  });

  it('leaves the payload unchanged', () => {
    for (const sent of [0n, 1n, 2n ** 48n - 1n, ...Array.from({ length: 200 }, payload)])
      expect(readChecked(addChecksum(sent))).toBe(sent);
  });

  it('detects random bursts of up to 16 wrong bits, in the payload or in the checksum', () => {
    for (let round = 0; round < 2_000; round++) {
      const length = 1 + Math.floor(next() * 16);
      const inner = BigInt(Math.floor(next() * 2 ** Math.max(0, length - 2))) * 2n;
      const run = length === 1 ? 1n : 1n | inner | (1n << BigInt(length - 1));
      const place = BigInt(Math.floor(next() * (PAYLOAD_BITS - length + 1)));
      expect(readChecked(addChecksum(payload()) ^ (run << place))).toBeUndefined();
    }
  });

  it('refuses each payload that is decoded wrongly when 33 % of the bits of the code are wrong', () => {
    const results = { right: 0, wrong: 0, refused: 0 };
    for (let round = 0; round < 200; round++) {
      const sent = payload();
      const soft = Float32Array.from(encodePayload(addChecksum(sent)), (sign) =>
        next() < 0.33 ? -sign : sign,
      );
      const read = readChecked(decodePayload(soft));
      results[read === undefined ? 'refused' : read === sent ? 'right' : 'wrong']++;
    }
    expect(results.refused).toBeGreaterThan(10);
    expect(results.wrong).toBe(0);
  });
});
