import type { ProjectPatch } from '@colophon/model';
import { pinningKeyContext } from '../control/pinning-settings.js';
import { signingKeyContext } from '../control/project-settings.js';
import type { Sealer } from '../control/seal-secret.js';
import { ServiceError } from '../errors.js';
import { readCertificates } from '../media/signing/certificate.js';
import { checkSigner, readPrivateKey } from '../media/signing/check-signer.js';
import type { ManagementDeps } from './deps.js';
import type { ProjectSettings } from './projects.sql.js';

/**
 * Seals secrets. Throws `ValidationError` for unusable settings, and `Unavailable` for a secret without SECRETS_KEY.
 */
export function toStoredSettings(
  { sealer, publicUrl }: ManagementDeps,
  projectId: string,
  patch: ProjectPatch,
): ProjectSettings {
  const { name, slug, description, aiTrainingOptOut, signingCertificate, signingKey, trustAnchors } = patch;
  assertUsable({ signingCertificate, signingKey, trustAnchors });
  // Clients may send back the address that the service returned.
  if ((patch.apiUrl ?? publicUrl) !== publicUrl)
    throw unusable('apiUrl', 'cannot be set for one project in this version. Omit it');
  const { anchoring, publicChecks, publicLog, publicDetector } = patch;
  const { storageType, ipfsProvider, ipfsGateway, ipfsApiKey } = patch;
  return {
    ...{ name, slug, description, aiTrainingOptOut, signingCertificate, trustAnchors },
    ...{ anchoring, publicChecks, publicLog, publicDetector, storageType, ipfsProvider, ipfsGateway },
    ...patch.limits,
    sealedSigningKey: seal(sealer, signingKey, signingKeyContext(projectId)),
    sealedIpfsKey: seal(sealer, ipfsApiKey, pinningKeyContext(projectId)),
  };
}

/** Throws `Unavailable` if SECRETS_KEY is not set. */
export function requireSealer(sealer: Sealer | undefined): Sealer {
  if (sealer !== undefined) return sealer;
  throw new ServiceError('Unavailable', 'This service stores no secrets: SECRETS_KEY is not set.', {
    recovery: 'Have the operator set SECRETS_KEY to 32 random bytes in base64.',
  });
}

/** Returns undefined for an absent secret, and null to remove the stored secret. */
function seal<Absent extends null | undefined>(
  sealer: Sealer | undefined,
  secret: string | Absent,
  place: string,
): string | Absent {
  if (typeof secret !== 'string') return secret;
  return requireSealer(sealer).seal(secret, place);
}

function assertUsable(given: Pick<ProjectPatch, 'signingCertificate' | 'signingKey' | 'trustAnchors'>): void {
  const { signingCertificate, signingKey } = given;
  if (typeof signingCertificate === 'string' && typeof signingKey === 'string') {
    checkSigner({ certificatePem: signingCertificate, privateKeyPem: signingKey }, new Date());
  }
  for (const path of ['signingCertificate', 'trustAnchors'] as const) {
    const pem = given[path];
    if (typeof pem === 'string' && readCertificates(pem) === undefined)
      throw unusable(path, 'contains a certificate that cannot be read');
  }
  const key = typeof signingKey === 'string' ? readPrivateKey(signingKey) : undefined;
  if (typeof key === 'string') throw unusable('signingKey', key);
}

/** The setting matches its schema, but the service cannot use it. */
export function unusable(path: string, message: string): ServiceError {
  return new ServiceError('ValidationError', `${path} ${message}.`, { details: [{ path, message }] });
}
