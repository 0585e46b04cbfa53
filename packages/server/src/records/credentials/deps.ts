import type { ReadMediaSettings } from '../../control/project-settings.js';
import type { LazyEngine } from '../../media/lazy-engine.js';
import type { ManifestSigner } from '../../media/media-engine.js';
import type { PassTimes } from '../../media/pass-times.js';

/** Dependencies of the use cases of Content Credentials. */
export interface CredentialDeps {
  engine: LazyEngine;
  /** Adds up what requests spend their time on. */
  times: PassTimes;
  readSettings: ReadMediaSettings;
  /** Certificates, as PEM, that the service trusts for every project. */
  trustAnchorsPem: string | undefined;
  /** Likewise for identities beside the signer. */
  identityAnchorsPem: string | undefined;
  /** The signer where neither request nor project name one; undefined without one. */
  defaultSigner: (() => ManifestSigner) | undefined;
  /** An RFC 3161 service that stamps every signature. */
  tsaUrl: string | undefined;
  /** Whether a signer must have a chain that ends at an anchor. */
  signerMustBeTrusted: boolean;
  maxMediaBytes: number;
}
