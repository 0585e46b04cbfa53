import type { EmbedInput } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { IdentitySigner, ManifestSigner } from '../../media/media-engine.js';
import { reachesAnchor } from '../../media/signing/reaches-anchor.js';
import type { CredentialDeps } from './deps.js';
import { anchorsOf } from './read-credentials.js';

/** Returns the signer of the request, or else of the project, or else of the service. */
export async function chooseSigner(
  deps: CredentialDeps,
  projectId: string,
  input: Pick<EmbedInput, 'signingCertificate' | 'signingKey' | 'signingAlgorithm'>,
): Promise<ManifestSigner> {
  const { signingCertificate: certificatePem, signingKey: privateKeyPem, signingAlgorithm } = input;
  const own =
    certificatePem === undefined || privateKeyPem === undefined
      ? undefined
      : { certificatePem, privateKeyPem };
  const signer = own ?? (await deps.readSettings(projectId)).signer ?? deps.defaultSigner?.();
  if (signer === undefined) {
    throw refusal('No signing certificate and key are available.', {
      path: 'signingCertificate',
      message: 'Send signingCertificate and signingKey, or set them for the project or the service',
    });
  }
  if (deps.signerMustBeTrusted && !reachesAnchor(signer.certificatePem, await anchorsOf(deps, projectId))) {
    throw refusal('The chain of the signing certificate does not end at a trust anchor of this service.', {
      path: 'signingCertificate',
      message: 'Use a certificate whose chain ends at a trust anchor of the service (C2PA_TRUST_ANCHORS)',
    });
  }
  return {
    ...signer,
    ...(signingAlgorithm === undefined ? {} : { algorithm: signingAlgorithm }),
    ...(deps.tsaUrl === undefined ? {} : { tsaUrl: deps.tsaUrl }),
  };
}

/** Returns the identity that signs in addition to the claim signer. */
export function identityOf(
  { tsaUrl }: CredentialDeps,
  { identity }: Pick<EmbedInput, 'identity'>,
): IdentitySigner | undefined {
  if (identity === undefined) return undefined;
  const { certificate: certificatePem, key: privateKeyPem, roles } = identity;
  return { certificatePem, privateKeyPem, roles, ...(tsaUrl === undefined ? {} : { tsaUrl }) };
}

function refusal(message: string, detail: { path: string; message: string }): ServiceError {
  return new ServiceError('ValidationError', message, { details: [detail], recovery: `${detail.message}.` });
}
