import type { ReadMediaSettings } from '../../control/project-settings.js';
import type { LazyEngine } from '../../media/lazy-engine.js';
import type { ManifestSigner } from '../../media/media-engine.js';
import type { PassTimes } from '../../media/pass-times.js';

/** Dependencies of the use cases of Content Credentials. */
export interface CredentialDeps {
  engine: LazyEngine;
  /** Collects the times of requests. */
  times: PassTimes;
  readSettings: ReadMediaSettings;
  /** Trust anchors of the service for every project, as PEM. */
  trustAnchorsPem: string | undefined;
  /** Trust anchors for identities other than the claim signer. */
  identityAnchorsPem: string | undefined;
  /** The signer for requests and projects without one; undefined when none is configured. */
  defaultSigner: (() => ManifestSigner) | undefined;
  /** An RFC 3161 service that adds a time stamp to every signature. */
  tsaUrl: string | undefined;
  /** Whether a signer must have a chain to a trust anchor. */
  signerMustBeTrusted: boolean;
  maxMediaBytes: number;
}
