import {
  type Detection,
  type DetectionFacts,
  signDetection,
  sortLayers,
  sumUpDetection,
} from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { detectManifest } from '../../records/credentials/detect-manifest.js';
import type { StagedMedia } from '../../records/draft/stage-media.js';
import { buildSigned } from '../../transparency-log/log-signer.js';
import type { AppDeps } from '../app.js';
import { detectByFingerprint, detectInLog } from './detect-published.js';

type DetectDeps = Pick<AppDeps, 'records' | 'credentials' | 'management' | 'publishing' | 'transparencyLog'>;

/** The name of the detector in the fair queue. No project has this id. */
const TENANT = 'public-detector';
/** Work of projects comes first, so a detection can wait for this time. */
const MAX_WAIT_MS = 30_000;

/** Looks for marks in and about a file, and signs a report. Stores nothing. */
export async function detectFile(deps: DetectDeps, file: StagedMedia, gone: AbortSignal): Promise<Detection> {
  const deadline = startDeadline();
  const signal = AbortSignal.any([gone, deadline.signal]);
  try {
    const media = { ...file, signal };
    const findings = [
      await detectManifest(deps.credentials, { media, tenant: TENANT }),
      await detectByFingerprint(deps, { file, tenant: TENANT, signal }),
      await detectInLog(deps, file),
    ];
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
    const report = signer && (await buildSigned(signer, (local) => signDetection(facts, local)));
    return { ...facts, report: report ?? null };
  } finally {
    deadline.end();
  }
}

function startDeadline(): { signal: AbortSignal; end(): void } {
  const late = new AbortController();
  const busy = new ServiceError('Unavailable', 'The service is busy with the work of its projects.', {
    recovery: 'Send the request again in a moment.',
    headers: { 'retry-after': '10' },
  });
  const timer = setTimeout(() => late.abort(busy), MAX_WAIT_MS);
  return { signal: late.signal, end: () => clearTimeout(timer) };
}
