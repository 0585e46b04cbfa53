import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkSigner } from '../../src/media/signing/check-signer.js';
import { issueCertificate } from '../../src/media/signing/issue-certificate.js';
import { reachesAnchor } from '../../src/media/signing/reaches-anchor.js';
import { missingPrograms } from '../support/programs.js';
import { authority, makeSigner, trustAnchorPem } from '../support/signers.js';

const DAY_MS = 86_400_000;
const verify = vi.spyOn(X509Certificate.prototype, 'verify');
afterEach(() => void verify.mockClear());

/** The certificates differ, but have one key. */
const toAnchor = (days: number) =>
  issueCertificate(authority, {
    subject: authority.name,
    publicKey: authority.publicKey,
    validFrom: new Date(Date.now() - DAY_MS),
    validTo: new Date(Date.now() + days * DAY_MS),
    isAuthority: true,
  });

function withWrongSignature(pem: string): string {
  const der = Buffer.from(new X509Certificate(pem).raw);
  der[der.length - 1] = (der.at(-1) ?? 0) ^ 1;
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
}

it('a chain reaches an anchor that issued one of its certificates, or that is one of them', () => {
  const { certificatePem } = makeSigner();
  expect(reachesAnchor(certificatePem, trustAnchorPem)).toBe(true);
  expect(reachesAnchor(certificatePem, certificatePem)).toBe(true);
  expect(reachesAnchor(certificatePem, undefined)).toBe(false);
});

it('a search verifies at most 16 signatures, however many certificates and anchors match', () => {
  const anchors = Array.from({ length: 10 }, (_, index) => toAnchor(index + 1)).join('\n');
  const chain = Array.from({ length: 12 }, () => withWrongSignature(makeSigner().certificatePem)).join('');
  expect(reachesAnchor(chain, anchors)).toBe(false);
  expect(verify).toHaveBeenCalledTimes(16);
});

const RSA = ['-newkey', 'rsa:2048'];
const ec = (curve: string) => ['-newkey', 'ec', '-pkeyopt', `ec_paramgen_curve:${curve}`];

describe.skipIf(missingPrograms().includes('openssl'))('a search', () => {
  /** `parameters`: those of `openssl req` for the key. */
  function makeChain(parameters: readonly string[]) {
    const folder = mkdtempSync(path.join(tmpdir(), 'colophon-anchor-'));
    const openssl = (...all: string[]) => execFileSync('openssl', all, { cwd: folder, stdio: 'pipe' });
    const ofAuthority = [...parameters, '-keyout', 'ca.key', '-subj', '/CN=authority', '-out', 'ca.pem'];
    openssl('req', '-x509', ...ofAuthority, '-nodes');
    openssl('req', ...RSA, '-nodes', '-subj', '/CN=signer', '-keyout', 'signer.key', '-out', 'csr');
    openssl('x509', '-req', '-in', 'csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-out', 'signer.pem');
    const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
    const found = { anchor: read('ca.pem'), chain: read('signer.pem') };
    rmSync(folder, { recursive: true });
    expect(new X509Certificate(found.chain).checkIssued(new X509Certificate(found.anchor))).toBe(true);
    return found;
  }

  it.each([
    ['a large RSA exponent', [...RSA, '-pkeyopt', `rsa_keygen_pubexp:${2 ** 33 + 1}`]],
    ['an RSA key of more than 4096 bits', ['-newkey', 'rsa:4104']],
    ['a binary curve', ec('sect283r1')],
    ['the curve secp256k1', ec('secp256k1')],
    ['Ed448', ['-newkey', 'ed448']],
  ])('verifies no signature with %s', (_key, parameters) => {
    const { anchor, chain } = makeChain(parameters);
    expect(reachesAnchor(chain, anchor)).toBe(false);
    expect(verify).not.toHaveBeenCalled();
    const { privateKeyPem } = makeSigner();
    expect(() => checkSigner({ certificatePem: chain + anchor, privateKeyPem }, new Date())).toThrow(
      /has an issuer with an unsupported key.* If the issuer is the root, leave it out of the chain/,
    );
    expect(verify).not.toHaveBeenCalled();
  });

  it.each([
    ['RSA', RSA],
    ['P-384', ec('P-384')],
    ['Ed25519', ['-newkey', 'ed25519']],
  ])('finds an anchor with a key of the kind %s', (_key, parameters) => {
    const { anchor, chain } = makeChain(parameters);
    expect(reachesAnchor(chain, anchor)).toBe(true);
  });
});
