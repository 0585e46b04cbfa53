import { createHash, createPublicKey, verify as verifyLaxly } from 'node:crypto';
import { verifyEd25519 } from '@colophon/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSigner, createVerifySignature } from '../../src/access/ed25519.js';

const VERIFIERS = [
  { of: 'the server', verify: createVerifySignature() },
  { of: 'the model', verify: verifyEd25519 },
];

/** RFC 8032 §7.1. */
const VECTORS = [
  {
    name: 'TEST 1',
    seed: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    message: '',
    signature:
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  },
  {
    name: 'TEST 2',
    seed: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    message: '72',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
  {
    name: 'TEST 3',
    seed: 'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    publicKey: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    message: 'af82',
    signature:
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  },
  {
    name: 'TEST SHA(abc)',
    seed: '833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42',
    publicKey: 'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
    message:
      'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
    signature:
      'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
  },
];

/*
 * A slow implementation of the curve (RFC 8032 §5.1), independent of the tested code. Points are projective
 * (X : Y : Z).
 */
type Point = readonly [bigint, bigint, bigint];

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const D = mod(-121665n * power(121666n, P - 2n));
const IDENTITY: Point = [0n, 1n, 1n];
const BASE = pointWithY(mod(4n * power(5n, P - 2n)), 0n);
/** A point of order 8. */
const TORSION = pointWithY(
  fromLittleEndian(Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'hex')),
  0n,
);

function mod(value: bigint, modulus = P): bigint {
  return ((value % modulus) + modulus) % modulus;
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, mod(base)];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}

function pointWithY(y: bigint, sign: bigint): Point {
  const xx = mod((y * y - 1n) * power(D * y * y + 1n, P - 2n));
  let x = power(xx, (P + 3n) / 8n);
  if (mod(x * x) !== xx) x = mod(x * power(2n, (P - 1n) / 4n));
  if (mod(x * x) !== xx) throw new Error('No point has this y');
  return [(x & 1n) === sign ? x : mod(-x), y, 1n];
}

function add([x1, y1, z1]: Point, [x2, y2, z2]: Point): Point {
  const [a, c, d] = [mod(z1 * z2), mod(x1 * x2), mod(y1 * y2)];
  const [b, e] = [mod(a * a), mod(D * mod(c * d))];
  const [f, g] = [mod(b - e), mod(b + e)];
  return [mod(a * f * mod((x1 + y1) * (x2 + y2) - c - d)), mod(a * g * (d + c)), mod(f * g)];
}

function times(scalar: bigint, point: Point): Point {
  let [result, doubled] = [IDENTITY, point];
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = add(result, doubled);
    doubled = add(doubled, doubled);
  }
  return result;
}

function affine([x, y, z]: Point): { x: bigint; y: bigint } {
  const inverse = power(z, P - 2n);
  return { x: mod(x * inverse), y: mod(y * inverse) };
}

function encodeYAndSign(y: bigint, sign: bigint): Buffer {
  return toLittleEndian(y | (sign << 255n));
}

function encode(point: Point): Buffer {
  const { x, y } = affine(point);
  return encodeYAndSign(y, x & 1n);
}

function toLittleEndian(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
}

function fromLittleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

function challenge(r: Buffer, a: Buffer, message: Buffer): bigint {
  return mod(fromLittleEndian(createHash('sha512').update(r).update(a).update(message).digest()), L);
}

/** Every encoding that decoders accept as a point of small order: 8 canonical ones, then 6 others. */
function smallOrderEncodings(): Buffer[] {
  const points = Array.from({ length: 8 }, (_, index) => times(BigInt(index), TORSION));
  const others = points.flatMap((point) => {
    const { x, y } = affine(point);
    const ys = y + P < 2n ** 255n ? [y, y + P] : [y];
    const signs = x === 0n ? [0n, 1n] : [x & 1n];
    return ys.flatMap((each) => signs.map((sign) => encodeYAndSign(each, sign)));
  });
  const canonical = points.map(encode);
  return [...canonical, ...others.filter((other) => !canonical.some((each) => each.equals(other)))];
}

function isTakenByOpenSsl(publicKey: Buffer, message: Buffer, signature: Buffer): boolean {
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey]);
  return verifyLaxly(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
}

function findMessage(isRight: (message: Buffer) => boolean): Buffer {
  for (let count = 0; count < 1000; count++) {
    const message = Buffer.from(`message ${count}`);
    if (isRight(message)) return message;
  }
  throw new Error('No such message');
}

describe('the arithmetic of this test', () => {
  it('finds 8 points of small order, and 14 encodings of them', () => {
    expect(affine(times(8n, TORSION))).toEqual({ x: 0n, y: 1n });
    expect(affine(times(4n, TORSION))).not.toEqual({ x: 0n, y: 1n });
    expect(affine(times(L, BASE))).toEqual({ x: 0n, y: 1n });
    expect(new Set(smallOrderEncodings().map((each) => each.toString('hex'))).size).toBe(14);
  });
});

describe.each(VERIFIERS)('the verifier of $of', ({ verify }) => {
  it.each(VECTORS)('accepts RFC 8032 §7.1 $name', ({ publicKey, message, signature }) => {
    expect(
      verify(Buffer.from(publicKey, 'hex'), Buffer.from(message, 'hex'), Buffer.from(signature, 'hex')),
    ).toBe(true);
  });

  it('rejects a flipped bit in key, message or signature', () => {
    const signer = createSigner('07'.repeat(32));
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), (text, position) => {
        const parts = [
          Buffer.from(signer.publicKeyHex, 'hex'),
          Buffer.from(text),
          Buffer.from(signer.sign(text), 'hex'),
        ] as const;
        expect(verify(...parts)).toBe(true);
        const bits = 8 * Buffer.concat(parts).length;
        let bit = position % bits;
        for (const part of parts) {
          if (bit >= 0 && bit < 8 * part.length) {
            const index = bit >> 3;
            part.writeUInt8(part.readUInt8(index) ^ (1 << (bit & 7)), index);
          }
          bit -= 8 * part.length;
        }
        expect(verify(...parts)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('rejects the all-zero key with the all-zero signature, for 64 messages', () => {
    for (let count = 0; count < 64; count++) {
      expect(verify(Buffer.alloc(32), Buffer.from(`${count}`), Buffer.alloc(64))).toBe(false);
    }
  });

  it('rejects every encoding of a public key of small order, even if OpenSSL accepts it', () => {
    const secret = 12345n;
    const r = encode(times(secret, BASE));
    const signature = Buffer.concat([r, toLittleEndian(secret)]);
    const taken = smallOrderEncodings().filter((publicKey) => {
      const message = findMessage((text) => challenge(r, publicKey, text) % 8n === 0n);
      expect(verify(publicKey, message, signature), publicKey.toString('hex')).toBe(false);
      return isTakenByOpenSsl(publicKey, message, signature);
    });
    expect(taken.length).toBeGreaterThanOrEqual(8);
  });

  it('rejects every R of small order, even if OpenSSL accepts it', () => {
    const secret = 6789n;
    // A key of mixed order. With a key of prime order, the equation would hold for only one R of small order.
    const publicKey = encode(add(times(secret, BASE), TORSION));
    const taken = smallOrderEncodings().filter((r, index) => {
      const isHolding = (text: Buffer) =>
        encode(times(8n - (challenge(r, publicKey, text) % 8n), TORSION)).equals(r);
      const message = index < 8 ? findMessage(isHolding) : Buffer.from('any');
      const s = mod(challenge(r, publicKey, message) * secret, L);
      const signature = Buffer.concat([r, toLittleEndian(s)]);
      expect(verify(publicKey, message, signature), r.toString('hex')).toBe(false);
      return isTakenByOpenSsl(publicKey, message, signature);
    });
    expect(taken).toHaveLength(8);
  });

  it('rejects a public key or an R whose y is not below p', () => {
    const [, , { publicKey, message, signature }] = VECTORS as [unknown, unknown, (typeof VECTORS)[0]];
    for (let y = P; y < 2n ** 255n; y++) {
      for (const sign of [0n, 1n]) {
        const encoding = encodeYAndSign(y, sign);
        const withR = Buffer.concat([encoding, Buffer.from(signature, 'hex').subarray(32)]);
        expect(verify(encoding, Buffer.from(message, 'hex'), Buffer.from(signature, 'hex'))).toBe(false);
        expect(verify(Buffer.from(publicKey, 'hex'), Buffer.from(message, 'hex'), withR)).toBe(false);
      }
    }
  });

  it.each(VECTORS)('rejects S plus a multiple of L: $name', ({ publicKey, message, signature }) => {
    const s = fromLittleEndian(Buffer.from(signature, 'hex').subarray(32));
    for (let larger = s + L; larger < 2n ** 256n; larger += L) {
      const r = Buffer.from(signature, 'hex').subarray(0, 32);
      const malleated = Buffer.concat([r, toLittleEndian(larger)]);
      expect(verify(Buffer.from(publicKey, 'hex'), Buffer.from(message, 'hex'), malleated)).toBe(false);
    }
  });

  it('verifies with a key of mixed order only if the equation holds without the cofactor', () => {
    const [secret, nonce] = [4242n, 1717n];
    const publicKey = encode(add(times(secret, BASE), TORSION));
    const r = encode(times(nonce, BASE));
    const sign = (message: Buffer) =>
      Buffer.concat([r, toLittleEndian(mod(nonce + challenge(r, publicKey, message) * secret, L))]);
    const holding = findMessage((text) => challenge(r, publicKey, text) % 8n === 0n);
    const cofactored = findMessage((text) => challenge(r, publicKey, text) % 8n !== 0n);
    expect(verify(publicKey, holding, sign(holding))).toBe(true);
    expect(verify(publicKey, cofactored, sign(cofactored))).toBe(false);
  });

  it('rejects a key that is not a point, and wrong lengths, without an exception', () => {
    const { publicKey, signature } = {
      publicKey: Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex'),
      signature: Buffer.from(VECTORS[0]?.signature ?? '', 'hex'),
    };
    const nothing = Buffer.alloc(0);
    expect(verify(toLittleEndian(2n), nothing, signature)).toBe(false); // no point has y = 2
    for (const length of [0, 31, 33, 44, 64]) {
      expect(verify(Buffer.concat([publicKey, publicKey]).subarray(0, length), nothing, signature)).toBe(
        false,
      );
    }
    for (const length of [0, 32, 63, 65, 128]) {
      expect(verify(publicKey, nothing, Buffer.concat([signature, signature]).subarray(0, length))).toBe(
        false,
      );
    }
  });
});

describe('a new verifier of the server', () => {
  it('gives the same verdicts after more keys than its cache holds', () => {
    const fresh = createVerifySignature();
    const signers = Array.from({ length: 1100 }, (_, index) =>
      createSigner(index.toString(16).padStart(64, '0')),
    );
    for (const round of ['first', 'second']) {
      for (const [index, signer] of signers.entries()) {
        const publicKey = Buffer.from(signer.publicKeyHex, 'hex');
        const signature = Buffer.from(signer.sign(round), 'hex');
        expect(fresh(publicKey, Buffer.from(round), signature)).toBe(true);
        if (index % 50 === 0) expect(fresh(publicKey, Buffer.from('other'), signature)).toBe(false);
      }
    }
  });
});

describe('a signer', () => {
  it.each(VECTORS)('derives the public key of RFC 8032 §7.1 $name', ({ seed, publicKey }) => {
    expect(createSigner(seed).publicKeyHex).toBe(publicKey);
    expect(createSigner(seed.toUpperCase()).publicKeyHex).toBe(publicKey);
  });

  it('signs the UTF-8 of a text as RFC 8032 §7.1 does', () => {
    expect(createSigner(VECTORS[0]?.seed ?? '').sign('')).toBe(VECTORS[0]?.signature);
    expect(createSigner(VECTORS[1]?.seed ?? '').sign('r')).toBe(VECTORS[1]?.signature);
  });

  it.each(['', '00', 'zz'.repeat(32), '5e'.repeat(33)])(
    'rejects the seed %j without showing it in the error',
    (seed) => {
      expect(() => createSigner(seed)).toThrow(new RangeError('A signing key must have 64 hex digits'));
    },
  );

  it('does not print its secret', () => {
    const shown = JSON.stringify(createSigner('5e'.repeat(32)));
    expect(shown).not.toContain('5e5e');
  });
});
