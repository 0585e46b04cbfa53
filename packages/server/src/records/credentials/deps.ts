import type { ReadMediaSettings } from '../../control/project-settings.js';
import type { LazyEngine } from '../../media/lazy-engine.js';
import type { ManifestSigner } from '../../media/media-engine.js';
import type { PassTimes } from '../../media/pass-times.js';
import type { LabelledCounts } from '../../platform/tracing/labelled-counts.js';

export interface CredentialDeps {
  engine: LazyEngine;
  /** Measures the steps of media requests. */
  times: PassTimes;
  /**
   * Counts the marks that this process added to contents or could not add, by kind of mark (such as a manifest or a
   * watermark) and by state (such as `added`).
   */
  marks: LabelledCounts<'kind' | 'state'>;
  readSettings: ReadMediaSettings;
  /** Trust anchors of the service for all projects, as PEM. */
  trustAnchorsPem: string | undefined;
  /** Trust anchors for identities other than the claim signer. */
  identityAnchorsPem: string | undefined;
  /** The service's own signer, for use when neither the request nor the project has a signer; undefined if not set. */
  defaultSigner: (() => ManifestSigner) | undefined;
  /** URL of a time-stamp authority (RFC 3161). If set, every manifest signature gets a token of this authority. */
  tsaUrl: string | undefined;
  /** Whether the certificate chain of a signer must end at a trust anchor. */
  signerMustBeTrusted: boolean;
  maxMediaBytes: number;
}
