import {
  type CheckCode,
  type DetectionCheck,
  type DetectionLayer,
  disclosureOfDetection,
  explainConfidence,
  levelOfDetection,
  type StoredSoftBinding,
  sayManifest,
  toFindingCode,
} from '@colophon/model';
import { findFormat } from '../../media/formats.js';
import type { ManifestReading } from '../../media/manifest-reading.js';
import type { CredentialDeps } from './deps.js';
import type { AwaitedMedia } from './extract-credentials.js';
import { readCredentials } from './read-credentials.js';

/** Values by which a valid manifest identifies content. */
export interface NamedByManifest {
  label: string;
  softBindings: readonly StoredSoftBinding[];
  /** Whether the service trusts the signer. Anybody can sign a manifest that states the watermark of somebody else. */
  isTrusted: boolean;
}

/** `names` is undefined without a valid manifest. */
export interface ManifestFinding extends LayerFinding {
  names?: NamedByManifest | undefined;
}

export interface LayerFinding {
  check: DetectionCheck;
  layers: DetectionLayer[];
}

const CONFIDENCE = { trusted: 'high', valid: 'medium', invalid: 'low' } as const;

/** The file belongs to no project, so the service uses only its own trust anchors. */
const NO_SETTINGS = { trustAnchorsPem: undefined, signer: undefined, aiTrainingOptOut: false };

/** Reads the manifest as a background task. `tenant`: the id in the fair queue, in place of a project. */
export async function detectManifest(
  credentials: CredentialDeps,
  { media, tenant }: { media: AwaitedMedia; tenant: string },
): Promise<ManifestFinding> {
  const { path, mediaType, signal } = media;
  const lack = await whyNotRead(credentials, mediaType);
  if (lack !== undefined) return lack;
  const deps = { ...credentials, readSettings: async () => NO_SETTINGS };
  const { reading, validation, hasManifest, remoteUrl } = await readCredentials(deps, tenant, {
    ...{ path, mediaType, signal },
    isBackground: true,
  });
  if (remoteUrl !== undefined)
    return toUnavailable(
      'elsewhere',
      'The manifest of the file is stored elsewhere. The service does not fetch it.',
    );
  const check = { kind: 'manifest', state: 'checked' } as const;
  if (validation === null) return { check, layers: [] };
  if (!hasManifest) return toUnavailable('unreadable', validation.summary);
  const detection = reading?.aiDetection ?? null;
  const level = levelOfDetection(detection);
  const disclosure = disclosureOfDetection(detection);
  const { headline = validation.summary, signedBy, signedAt, tool } = reading?.display ?? {};
  const found = { kind: 'manifest', confidence: CONFIDENCE[validation.state] } as const;
  const layer: DetectionLayer = {
    ...found,
    meaning: explainConfidence(found),
    level,
    ...(disclosure === undefined ? {} : { disclosure }),
    says: sayManifest(headline.replace(/\.$/, ''), level),
    code: toFindingCode({ state: validation.state, level }),
    state: validation.state,
    ...(reading === undefined ? {} : { signedBy, signedAt, tool }),
  };
  return { check, layers: [layer], names: toNames(reading) };
}

function toNames(reading: ManifestReading | undefined): NamedByManifest | undefined {
  if (reading === undefined || reading.validation.state === 'invalid') return undefined;
  const { label, softBindings, validation } = reading;
  return { label, softBindings, isTrusted: validation.state === 'trusted' };
}

function toUnavailable(code: CheckCode, reason: string): LayerFinding {
  return { check: { kind: 'manifest', state: 'unavailable', reason, code }, layers: [] };
}

async function whyNotRead({ engine }: CredentialDeps, mediaType: string): Promise<LayerFinding | undefined> {
  if (findFormat(mediaType)?.read !== true)
    return toUnavailable('unsupported', `The service reads no manifest from ${mediaType}.`);
  const { available } = await engine.get();
  if (available === true) return undefined;
  return toUnavailable('noEngine', 'The C2PA engine of this service is not available.');
}
