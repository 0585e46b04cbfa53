import type { ReadMediaSettings } from '../../control/project-settings.js';
import type { LazyEngine } from '../../media/lazy-engine.js';
import type { ManifestSigner } from '../../media/media-engine.js';
import type { PassTimes } from '../../media/pass-times.js';
import type { LabelledCounts } from '../../platform/tracing/labelled-counts.js';

export interface CredentialDeps {
  engine: LazyEngine;
  times: PassTimes;
  /** Counts the marks of this process by kind (such as a manifest) and by state (such as `added`). */
  marks: LabelledCounts<'kind' | 'state'>;
  readSettings: ReadMediaSettings;
  /** Trust anchors for all projects. */
  trustAnchorsPem: string | undefined;
  /** Trust anchors for identities other than the claim signer. */
  identityAnchorsPem: string | undefined;
  /** Used when neither the request nor the project has a signer. */
  defaultSigner: (() => ManifestSigner) | undefined;
  /** URL of a time-stamp authority (RFC 3161). If set, every manifest signature gets a token. */
  tsaUrl: string | undefined;
  signerMustBeTrusted: boolean;
  maxMediaBytes: number;
}
