import type { ReadMediaSettings } from '../../control/project-settings.js';
import type { LazyEngine } from '../../media/lazy-engine.js';
import type { ManifestSigner } from '../../media/media-engine.js';
import type { PassTimes } from '../../media/pass-times.js';
import type { LabelledCounts } from '../../platform/tracing/labelled-counts.js';

export interface CredentialDeps {
  engine: LazyEngine;
  /** Measures the steps of media requests. */
  times: PassTimes;
  /** Counts the layers of the marks that this process made, by kind and state. */
  marks: LabelledCounts<'kind' | 'state'>;
  readSettings: ReadMediaSettings;
  /** Trust anchors of the service for all projects, as PEM. */
  trustAnchorsPem: string | undefined;
  /** Trust anchors for identities other than the claim signer. */
  identityAnchorsPem: string | undefined;
  /** The signer for requests and projects without their own; undefined when none is configured. */
  defaultSigner: (() => ManifestSigner) | undefined;
  /** URL of an RFC 3161 service. Every signature gets a time stamp from it. */
  tsaUrl: string | undefined;
  /** Whether the certificate chain of a signer must end at a trust anchor. */
  signerMustBeTrusted: boolean;
  maxMediaBytes: number;
}
