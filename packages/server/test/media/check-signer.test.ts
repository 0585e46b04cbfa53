import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/errors.js';
import { checkSigner } from '../../src/media/signing/check-signer.js';
import { createDevelopmentSigner } from '../../src/media/signing/development-signer.js';
import { makeSigner, trustAnchorPem } from '../support/signers.js';

const NOW = new Date();
const DAY_MS = 86_400_000;
const valid = makeSigner();

function refusal(certificatePem: string, privateKeyPem: string, now = NOW): ServiceError {
  try {
    checkSigner({ certificatePem, privateKeyPem }, now);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('the signer was accepted');
}

describe('a signer is accepted', () => {
  it.each([
    ['P-256', 'es256'],
    ['P-384', 'es384'],
    ['P-521', 'es512'],
    ['RSA 2048', 'ps256'],
    ['Ed25519', 'ed25519'],
  ] as const)('with a %s key, for the algorithm %s', (kind, algorithm) => {
    const { certificatePem, privateKeyPem } = makeSigner({ kind });
    expect(checkSigner({ certificatePem, privateKeyPem }, NOW).algorithm).toBe(algorithm);
  });

  it('with the certificate of its authority after its own certificate', () => {
    const chain = `${valid.certificatePem}\n${trustAnchorPem}`;
    expect(checkSigner({ ...valid, certificatePem: chain }, NOW).certificates).toHaveLength(2);
  });

  it.each([
    ['PKCS#1', 'RSA 2048', 'pkcs1'],
    ['SEC1', 'P-256', 'sec1'],
  ] as const)('with a key in the form of %s', (_, kind, type) => {
    const { certificatePem, privateKeyPem } = makeSigner({ kind });
    const older = createPrivateKey(privateKeyPem).export({ type, format: 'pem' } as {
      type: 'pkcs1';
      format: 'pem';
    });
    expect(checkSigner({ certificatePem, privateKeyPem: older.toString() }, NOW).certificates).toHaveLength(
      1,
    );
  });

  it('when it was made for development', () => {
    const { certificatePem, privateKeyPem } = createDevelopmentSigner(NOW);
    expect(checkSigner({ certificatePem, privateKeyPem }, NOW).algorithm).toBe('es256');
  });
});

describe('a signer is refused with 422 and the reason', () => {
  it.each([
    ['key and certificate do not match', valid.certificatePem, makeSigner().privateKeyPem, 'does not belong'],
    ['the certificate is not PEM', 'certificate', valid.privateKeyPem, 'certificate is not a PEM'],
    [
      'the PEM block of the certificate is damaged',
      valid.certificatePem.replace(/M[A-Za-z]/, 'AA'),
      valid.privateKeyPem,
      'not a PEM',
    ],
    ['the key is not PEM', valid.certificatePem, 'key', 'key is not a PEM'],
    [
      'the PEM block of the key is damaged',
      valid.certificatePem,
      valid.privateKeyPem.replace(/M[A-Z]/, 'AA'),
      'cannot|can be read',
    ],
    ['the key is encrypted', valid.certificatePem, encrypted(), 'encrypted'],
    ...fromSigners({
      'the certificate expired': [{ validTo: new Date(Date.now() - 60_000) }, 'expired on'],
      'the certificate is not valid yet': [
        { validFrom: new Date(Date.now() + DAY_MS / 2) },
        'not valid before',
      ],
      'the certificate has no extended key usage': [{ extendedKeyUsages: [] }, 'lacks an extended key usage'],
      'the certificate is for servers': [{ extendedKeyUsages: ['1.3.6.1.5.5.7.3.1'] }, 'wrong extended key'],
      'the certificate allows every use': [{ extendedKeyUsages: ['2.5.29.37.0'] }, '"any"'],
      'the certificate belongs to an authority': [{ isAuthority: true }, 'certificate authority'],
      'the certificate is self-signed': [{ subject: 'Authority of the tests' }, 'self-signed'],
      'the RSA key is short': [{ kind: 'RSA 1024' }, 'RSA key of 1024 bits'],
      'the RSA key is long': [{ kind: 'RSA 4104' }, 'RSA key of 4104 bits; use 2048 to 4096 bits'],
      'the curve is unsupported': [{ kind: 'secp256k1' }, 'unsupported kind (curve secp256k1)'],
      'the key cannot sign': [{ kind: 'X25519' }, 'unsupported kind (x25519)'],
    }),
  ])('when %s', (_, certificatePem, privateKeyPem, says) => {
    const error = refusal(certificatePem, privateKeyPem);
    expect([error.code, error.status]).toEqual(['ValidationError', 422]);
    expect(error.message).toMatch(new RegExp(says.replace(/[()]/g, '\\$&')));
  });

  it('when a certificate of the chain did not issue the certificate before it', () => {
    const chain = `${valid.certificatePem}\n${makeSigner().certificatePem}`;
    expect(refusal(chain, valid.privateKeyPem).message).toContain('not issued by the next certificate');
  });

  it.each(['p', 'dp', 'd'])('when the part %s of its RSA key is far too large', (part) => {
    const { certificatePem, privateKeyPem } = makeSigner({ kind: 'RSA 2048' });
    const jwk = createPrivateKey(privateKeyPem).export({ format: 'jwk' });
    const huge = { ...jwk, [part]: Buffer.alloc(7_500, 0xff).toString('base64url') };
    const pem = createPrivateKey({ key: huge, format: 'jwk' }).export({ type: 'pkcs1', format: 'pem' });
    expect(refusal(certificatePem, pem.toString()).message).toContain('a part that is too large');
  });

  it('when the chain has more than 10 certificates', () => {
    const chain = [valid.certificatePem, ...Array.from({ length: 10 }, () => trustAnchorPem)].join('\n');
    expect(refusal(chain, valid.privateKeyPem).message).toContain(
      'chain of 11 certificates; the maximum is 10',
    );
  });

  it('with the field of each problem', () => {
    const { certificatePem } = makeSigner({ extendedKeyUsages: [], validTo: new Date(Date.now() - 60_000) });
    const { details } = refusal(certificatePem, valid.privateKeyPem);
    expect((details as { path: string }[]).map(({ path }) => path)).toEqual([
      'signingKey',
      'signingCertificate',
      'signingCertificate',
    ]);
  });

  it('when its certificate has expired at the time of the check', () => {
    const later = new Date(Date.now() + 3 * DAY_MS);
    expect(refusal(valid.certificatePem, valid.privateKeyPem, later).message).toContain('expired on');
  });

  it('without revealing any part of the key', () => {
    const secret = valid.privateKeyPem.split('\n')[1] ?? '';
    for (const certificate of ['certificate', makeSigner().certificatePem]) {
      const error = refusal(certificate, valid.privateKeyPem.replace('END PRIVATE', 'END THE'));
      expect(JSON.stringify([error.message, error.details, error.stack, error.cause])).not.toContain(secret);
    }
  });
});

function encrypted(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const options = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' } as const;
  return privateKey.export(options).toString();
}

function fromSigners(cases: Record<string, [Parameters<typeof makeSigner>[0], string]>) {
  return Object.entries(cases).map(([name, [wanted, says]]): [string, string, string, string] => {
    const { certificatePem, privateKeyPem } = makeSigner(wanted);
    return [name, certificatePem, privateKeyPem, says];
  });
}
