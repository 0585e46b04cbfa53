import type { Logger } from 'pino';
import type { Anchoring } from '../anchors/start-anchoring.js';
import type { BlobStore } from '../blobs/blob-store.js';
import type { Config } from '../config.js';
import type { AppDeps, Readiness } from '../http/app.js';
import { readIntegrityState } from '../integrity/integrity.sql.js';
import { type IntegritySettings, startIntegrityCheck } from '../integrity/start-integrity-check.js';
import type { Database } from '../platform/db/database.js';
import { type Databases, ping } from '../platform/db/open-databases.js';
import type { RecordDeps } from '../records/deps.js';
import type { TransparencyLogDeps } from '../transparency-log/deps.js';
import type { Witnessing } from '../witnesses/start-witnessing.js';
import { anchoringReadiness } from './anchoring.js';
import { describeBytes } from './bytes.js';
import type { OpenLimits } from './limits.js';
import type { OpenReads } from './reads.js';
import { logReadiness } from './transparency-log.js';
import { witnessReadiness } from './witnesses.js';

/** If the check is off, `/readyz` still reports the stored findings. */
export function openIntegrityCheck(
  { integrityIntervalMs }: Config,
  { provenance, blobs }: RecordDeps,
  { logger, more }: { logger: Logger; more: Partial<IntegritySettings> | undefined },
) {
  const state = () => readIntegrityState(provenance);
  if (integrityIntervalMs === 0)
    return { state, isOn: false, checked: new Map<string, number>(), close: async () => {} };
  const check = startIntegrityCheck({
    provenance,
    blobs,
    intervalMs: integrityIntervalMs,
    onFinding: (finding) =>
      logger.error(finding, 'the integrity check found data that differs from what was recorded'),
    reportFailure: (err) =>
      logger.error({ err }, 'the integrity check stopped with an error; it tries again'),
    ...more,
  });
  return { state, isOn: true, ...check };
}

export function createReadiness(
  config: Config,
  { control, provenance }: Databases,
  {
    blobs,
    integrity,
    logs,
    anchoring,
    witnessing,
    limits,
    recordReads,
  }: {
    blobs: BlobStore;
    integrity: AppDeps['integrity'] & { isOn: boolean };
    logs: TransparencyLogDeps;
    anchoring: Anchoring | undefined;
    witnessing: Witnessing | undefined;
    limits: OpenLimits;
    recordReads: OpenReads;
  },
): Readiness {
  const ask = (db: Database) => async () => {
    await ping(db);
    return `ok (${db.engine})`;
  };
  return {
    control: ask(control),
    records: ask(provenance),
    search: async () => (config.search.indexBytes > 0 ? 'ok (index in memory)' : 'ok (exact search)'),
    async bytes() {
      await blobs.check();
      const { isImpaired, text } = describeBytes(config, blobs);
      return isImpaired ? `impaired: ${text}` : text;
    },
    async audit() {
      const { findings, endedAt } = await integrity.state();
      const count = findings.reduce((sum, finding) => sum + finding.count, 0);
      // The node stays ready, because one altered row must not stop the service.
      const subject = count === 1 ? '1 stored item differs' : `${count} stored items differ`;
      if (count > 0) return `mismatch: ${subject} from the recorded data, see the log`;
      return integrity.isOn ? `ok (last pass ended ${endedAt.toISOString()})` : 'off';
    },
    ...recordReads.readiness,
    ...limits.readiness,
    ...logReadiness(logs),
    ...anchoringReadiness(anchoring),
    ...witnessReadiness(witnessing),
  };
}
