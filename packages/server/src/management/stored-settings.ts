import type { ProjectPatch } from '@colophon/model';
import { signingKeyPlace } from '../access/project-settings.js';
import { ServiceError } from '../errors.js';
import { readCertificates } from '../media/signing/certificate.js';
import { checkSigner } from '../media/signing/check-signer.js';
import type { ManagementNeeds } from './needs.js';
import type { ProjectSettings } from './projects.sql.js';

/** The given settings as they are stored, secrets sealed. Throws `Unavailable` for a secret without SECRETS_KEY. */
export function toStoredSettings(
  { sealer }: ManagementNeeds,
  projectId: string,
  { name, slug, description, aiTrainingOptOut, signingCertificate, signingKey, trustAnchors }: ProjectPatch,
): ProjectSettings {
  assertUsable({ signingCertificate, signingKey, trustAnchors });
  const plain = { name, slug, description, aiTrainingOptOut, signingCertificate, trustAnchors };
  if (signingKey === undefined || signingKey === null) return { ...plain, sealedSigningKey: signingKey };
  if (sealer === undefined) {
    throw new ServiceError('Unavailable', 'This service stores no secrets: SECRETS_KEY is not set.', {
      recovery: 'Have the operator set SECRETS_KEY to 32 random bytes in base64.',
    });
  }
  return { ...plain, sealedSigningKey: sealer.seal(signingKey, signingKeyPlace(projectId)) };
}

/** Throws `ValidationError` for what could never sign, or never be trusted. */
function assertUsable({
  signingCertificate,
  signingKey,
  trustAnchors,
}: Pick<ProjectPatch, 'signingCertificate' | 'signingKey' | 'trustAnchors'>): void {
  if (typeof signingCertificate === 'string' && typeof signingKey === 'string') {
    checkSigner(signingCertificate, signingKey, new Date());
  }
  if (typeof trustAnchors === 'string' && readCertificates(trustAnchors) === undefined) {
    throw new ServiceError('ValidationError', 'The trust anchors are not PEM certificates.', {
      details: [{ path: 'trustAnchors', message: 'Holds a certificate that cannot be read' }],
    });
  }
}
