import type { Config } from '../config.js';
import { createReadMediaSettings } from '../control/project-settings.js';
import type { Sealer } from '../control/seal-secret.js';
import type { MediaEngineOptions } from '../media/create-media-engine.js';
import { createLazyEngine } from '../media/lazy-engine.js';
import { createPassTimes } from '../media/pass-times.js';
import { createDevelopmentSigner, type DevelopmentSigner } from '../media/signing/development-signer.js';
import type { Database } from '../platform/db/database.js';
import { createLabelledCounts } from '../platform/tracing/labelled-counts.js';
import type { Scheduler } from '../platform/work/scheduler.js';
import type { CredentialDeps } from '../records/credentials/deps.js';

const MEDIA_TIMEOUT_MS = 60_000;

/** Without a configured signer, development uses an untrusted signer, and production uses none. */
export function createCredentials(
  { media, production }: Config,
  control: Database,
  {
    sealer,
    scheduler,
    media: engine,
  }: { sealer: Sealer | undefined; scheduler: Scheduler; media?: Partial<MediaEngineOptions> },
): CredentialDeps {
  const { maxBytes, trustAnchorsPem, identityAnchorsPem, signer, tsaUrl, allowUntrustedSigner } = media;
  let development: DevelopmentSigner | undefined;
  const developmentSigner = () => {
    development ??= createDevelopmentSigner();
    return development;
  };
  const times = createPassTimes();
  return {
    times,
    marks: createLabelledCounts(),
    engine: createLazyEngine({
      times,
      maxBytes,
      timeoutMs: MEDIA_TIMEOUT_MS,
      scheduler,
      ...engine,
    }),
    readSettings: createReadMediaSettings(control, sealer),
    trustAnchorsPem,
    identityAnchorsPem,
    defaultSigner: signer === undefined ? (production ? undefined : developmentSigner) : () => signer,
    tsaUrl,
    signerMustBeTrusted: production && !allowUntrustedSigner,
    maxMediaBytes: maxBytes,
  };
}
