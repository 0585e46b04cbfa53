import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { issueCertificate } from '../../src/media/signing/issue-certificate.js';
import { reachesAnchor } from '../../src/media/signing/reaches-anchor.js';
import { missingPrograms } from '../support/programs.js';
import { authority, makeSigner, trustAnchorPem } from '../support/signers.js';

const DAY_MS = 86_400_000;
const verify = vi.spyOn(X509Certificate.prototype, 'verify');
afterEach(() => void verify.mockClear());

/** Returns a certificate of `authority`; each number of days gives another certificate with the same key. */
const toAnchor = (days: number) =>
  issueCertificate(authority, {
    subject: authority.name,
    publicKey: authority.publicKey,
    validFrom: new Date(Date.now() - DAY_MS),
    validTo: new Date(Date.now() + days * DAY_MS),
    isAuthority: true,
  });

/** Changes the last byte of the signature. */
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

it('a search verifies at most 32 signatures, however many certificates and anchors match', () => {
  const anchors = Array.from({ length: 10 }, (_, index) => toAnchor(index + 1)).join('\n');
  const chain = Array.from({ length: 12 }, () => withWrongSignature(makeSigner().certificatePem)).join('');
  expect(reachesAnchor(chain, anchors)).toBe(false);
  expect(verify).toHaveBeenCalledTimes(32);
});

it.skipIf(missingPrograms().includes('openssl'))(
  'a search verifies no signature with a large RSA exponent',
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'colophon-anchor-'));
    const openssl = (...parameters: string[]) =>
      execFileSync('openssl', parameters, { cwd: folder, stdio: 'pipe' });
    const exponent = `rsa_keygen_pubexp:${2 ** 33 + 1}`;
    const authorityKey = ['-newkey', 'rsa:2048', '-pkeyopt', exponent, '-keyout', 'slow.key'];
    openssl('req', '-x509', ...authorityKey, '-nodes', '-subj', '/CN=slow', '-out', 'slow.pem');
    openssl(
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      '/CN=signer',
      '-keyout',
      'signer.key',
      '-out',
      'csr',
    );
    openssl('x509', '-req', '-in', 'csr', '-CA', 'slow.pem', '-CAkey', 'slow.key', '-out', 'signer.pem');
    const [anchor, chain] = ['slow.pem', 'signer.pem'].map((name) =>
      readFileSync(path.join(folder, name), 'utf8'),
    );
    rmSync(folder, { recursive: true });
    expect(new X509Certificate(chain ?? '').checkIssued(new X509Certificate(anchor ?? ''))).toBe(true);
    expect(reachesAnchor(chain ?? '', anchor)).toBe(false);
    expect(verify).not.toHaveBeenCalled();
  },
);
