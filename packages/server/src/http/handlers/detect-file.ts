import {
  type Detection,
  type DetectionCheck,
  type DetectionFacts,
  signDetection,
  sortLayers,
  sumUpDetection,
} from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { DetectorFinding } from '../../management/detection-meter.js';
import { detectManifest, type ManifestFinding } from '../../records/credentials/detect-manifest.js';
import type { StagedMedia } from '../../records/draft/stage-media.js';
import { buildSigned } from '../../transparency-log/log-signer.js';
import type { AppDeps } from '../app.js';
import {
  detectByFingerprint,
  detectByWatermark,
  detectInLog,
  type PublishedFinding,
} from './detect-published.js';
import { DETECTOR_TENANT, type Detector, runDetection, type Visitor } from './detector.js';

export type DetectDeps = Pick<
  AppDeps,
  'records' | 'credentials' | 'management' | 'publishing' | 'transparencyLog' | 'detections'
>;

/** `findings` is present if the check looks for publications. */
type Examined = ManifestFinding & Partial<Pick<PublishedFinding, 'findings'>>;

/** Waits for a slot, checks all layers of a file, and signs a report. Stores only counts of findings. */
export async function detectFile(
  deps: DetectDeps,
  detector: Pick<Detector, 'limitWork' | 'counts'>,
  { file, visitor }: { file: StagedMedia; visitor: Visitor },
): Promise<Detection> {
  const { detection, published } = await runDetection(detector, visitor, (signal) =>
    examine(deps, file, signal),
  );
  for (const finding of published) deps.detections.count(finding);
  const { layers } = detection;
  if (layers.length === 0) detector.counts.add({ layer: 'none', confidence: 'none' });
  for (const { kind: layer, confidence } of layers) detector.counts.add({ layer, confidence });
  return detection;
}

/** `published`: the findings that belong to a project. */
async function examine(
  deps: DetectDeps,
  file: StagedMedia,
  signal: AbortSignal,
): Promise<{ detection: Detection; published: DetectorFinding[] }> {
  const query = { file, tenant: DETECTOR_TENANT, signal };
  const media = { ...file, signal };
  // The log comes first, because it takes the least work.
  const log = await checkLayer('log', signal, () => detectInLog(deps, query));
  const manifest = await checkLayer('manifest', signal, () =>
    detectManifest(deps.credentials, { media, tenant: DETECTOR_TENANT }),
  );
  const fingerprint = await checkLayer('fingerprint', signal, () => detectByFingerprint(deps, query));
  const others = [...fingerprint.layers, ...log.layers];
  const watermark = await checkLayer('watermark', signal, () =>
    detectByWatermark(deps, { ...query, others, names: manifest.names }),
  );
  const findings = [manifest, fingerprint, log, watermark];
  const layers = sortLayers(findings.flatMap((finding) => finding.layers));
  const checks = findings.map(({ check }) => check);
  const facts: DetectionFacts = {
    service: deps.transparencyLog.service,
    cid: file.digests.cid,
    mimeType: file.mediaType,
    size: file.digests.sizeBytes,
    detectedAt: new Date().toISOString(),
    summary: sumUpDetection(layers, checks),
    layers,
    checks,
  };
  const { signer } = deps.transparencyLog;
  const report =
    signer && (await buildSigned(signer, DETECTOR_TENANT, (local) => signDetection(facts, local)));
  const published = [log, fingerprint, watermark].flatMap(({ findings: found = [] }) => found);
  return { detection: { ...facts, report: report ?? null }, published };
}

/** Returns `unavailable` when `detect` fails with a ServiceError, so that the report still has the other layers. */
export async function checkLayer(
  kind: DetectionCheck['kind'],
  signal: AbortSignal,
  detect: () => Promise<Examined>,
): Promise<Examined> {
  try {
    return await detect();
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError)) throw error;
    const reason = 'The service could not check this layer. Send the request again later.';
    return { check: { kind, state: 'unavailable', reason, code: 'failed' }, layers: [] };
  }
}
