import { describe, expect, it } from 'vitest';
import { drawQr } from '../src/public/certificate/draw-qr.js';
import { toCodewords, toErrorCorrection } from '../src/public/certificate/encode-qr.js';

describe('a QR code', () => {
  it('has the error correction of the example in ISO/IEC 18004, annex I', () => {
    const data = [16, 32, 12, 86, 97, 128, 236, 17, 236, 17, 236, 17, 236, 17, 236, 17];
    expect([...toErrorCorrection(Uint8Array.from(data), 10)]).toEqual([
      165, 36, 212, 193, 237, 54, 199, 135, 44, 85,
    ]);
  });

  it.each([
    [14, 1, 26],
    [15, 2, 44],
    [62, 4, 100],
    [63, 5, 134],
    [106, 6, 172],
  ])('of %i bytes has version %i and %i codewords', (length, version, codewords) => {
    const made = toCodewords('a'.repeat(length));
    expect([made?.version, made?.codewords.length]).toEqual([version, codewords]);
    expect(drawQr('a'.repeat(length))).toHaveLength(17 + 4 * version);
  });

  it('is not drawn for a text of more than 106 bytes', () => {
    expect(drawQr('a'.repeat(107))).toBeUndefined();
    expect(drawQr('é'.repeat(54))).toBeUndefined();
  });

  it('starts with the mode and the length, and ends with the pad bytes', () => {
    const { codewords = [] } = toCodewords('hi') ?? {};
    expect([...codewords.slice(0, 6)]).toEqual([0x40, 0x26, 0x86, 0x90, 0xec, 0x11]);
  });
});
