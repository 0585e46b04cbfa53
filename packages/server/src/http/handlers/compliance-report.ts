import { type ComplianceReport, robustnessOfMethods, unmeasuredMark } from '@colophon/model';
import { readAnchorOver, readTimestampOver } from '../../anchors/coverage.sql.js';
import { sumDetections } from '../../management/detections.sql.js';
import { readProjectNames } from '../../management/projects.sql.js';
import { countRecords, type RecordsOfPeriod } from '../../records/compliance/count-records.js';
import { listMarked } from '../../records/compliance/list-marked.js';
import { readNames } from '../../records/read/records.sql.js';
import { methodOfMark } from '../../search/mark-method.js';
import { describeLog, readCheckpoint } from '../../transparency-log/checkpoint.js';
import type { AppDeps } from '../app.js';

export type ReportDeps = Pick<
  AppDeps,
  'version' | 'records' | 'transparencyLog' | 'management' | 'detector' | 'detections'
>;

type ReportQuery = Omit<RecordsOfPeriod, 'isSigned'> & { limit: number };

export async function reportCompliance(
  deps: ReportDeps,
  projectId: string,
  { limit, ...query }: ReportQuery,
): Promise<ComplianceReport> {
  const { records, transparencyLog, version, management } = deps;
  const { period } = query;
  const asked = { ...query, isSigned: transparencyLog.signer !== undefined };
  const { marks, unmarked, sizes } = await countRecords(records, projectId, asked);
  const newest = await listMarked(records, projectId, { ...asked, limit });
  return {
    generatedAt: new Date().toISOString(),
    service: transparencyLog.service,
    version,
    projectId,
    project: await readProjectNames(management.deps.control, projectId),
    period,
    marks: { ...marks, newest },
    unmarked,
    detections: await readDetections(deps, projectId, period),
    log: await readLogState(deps, projectId, { sizes, signal: query.signal }),
    robustness: [...robustnessOfMethods(), ...listUnmeasured(records, marks)],
  };
}

/** The report itself has only the ids of the performers. */
export function readNamesFor(
  { records }: ReportDeps,
  report: ComplianceReport,
): Promise<Map<string, string>> {
  const contents = [...report.marks.newest.contents, ...report.unmarked.newest];
  const ids = [...new Set(contents.map(({ performedBy }) => performedBy))];
  return readNames(records.reads, report.projectId, ids);
}

/**
 * Watermark methods without measured robustness: those of the counted marks, and that of new marks, which can be a
 * model in `WATERMARK_MODEL_DIR`.
 */
function listUnmeasured(
  { matching }: ReportDeps['records'],
  { byLayer }: Pick<ComplianceReport['marks'], 'byLayer'>,
): ComplianceReport['robustness'] {
  const counted = byLayer.filter(({ kind }) => kind === 'watermark').map(({ method }) => method);
  const measured = new Set(robustnessOfMethods().map(({ method }) => method));
  const used = [methodOfMark(matching.pictureMark.alg), ...counted];
  const models = used.filter((method): method is string => method !== null && !measured.has(method));
  return [...new Set(models)].map((method) => unmeasuredMark(method));
}

async function readDetections(
  { management, detector, detections }: ReportDeps,
  projectId: string,
  { from, to }: ReportQuery['period'],
): Promise<ComplianceReport['detections']> {
  await detections.flush();
  const lastInstant = new Date(Date.parse(to) - 1).toISOString();
  const days = { first: from.slice(0, 10), last: lastInstant.slice(0, 10) };
  const sums = await sumDetections(management.deps.control, projectId, days);
  return { detector: detector !== undefined, days, ...sums };
}

async function readLogState(
  { transparencyLog }: Pick<ReportDeps, 'transparencyLog'>,
  projectId: string,
  { sizes, signal }: { sizes: { atStart: number; atEnd: number }; signal: ReportQuery['signal'] },
): Promise<ComplianceReport['log']> {
  if (transparencyLog.signer === undefined) return null;
  const { provenance } = transparencyLog;
  const { origin, verifierKey, publicKey } = await describeLog(transparencyLog, projectId);
  const withCoverage = <Part extends { size: number }>(part: Part | undefined) =>
    part === undefined ? null : { ...part, coversPeriod: part.size >= sizes.atEnd };
  return {
    ...{ origin, verifierKey, publicKey, sizes },
    checkpoint: await readCheckpoint(transparencyLog, projectId, signal),
    anchor: withCoverage(await readAnchorOver(provenance, projectId, sizes.atEnd)),
    timestamp: withCoverage(await readTimestampOver(provenance, projectId, sizes.atEnd)),
  };
}
