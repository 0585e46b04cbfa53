import { parseWitnessKey } from '@colophon/model';
import type { Logger } from 'pino';
import { createCosignatureVerifiers } from '../access/ml-dsa.js';
import type { Config } from '../config.js';
import type { Readiness } from '../http/app.js';
import type { TransparencyLogDeps } from '../transparency-log/deps.js';
import { startWitnessing, type Witnessing } from '../witnesses/start-witnessing.js';

/** Returns undefined without witnesses or a key of the log. */
export function openWitnesses(
  { witnessing }: Config,
  logs: TransparencyLogDeps,
  logger: Logger,
): Witnessing | undefined {
  if (witnessing === undefined || logs.signer === undefined) return undefined;
  const witnesses = witnessing.witnesses.flatMap(({ id, keyText, url }) => {
    const key = parseWitnessKey(keyText);
    return key === undefined ? [] : [{ id, key, url }];
  });
  const settings = { ...witnessing, witnesses };
  return startWitnessing(settings, {
    logs,
    verify: createCosignatureVerifiers(),
    reportRefusal: (error, { projectId }) =>
      logger.warn({ project: projectId, err: error }, `a witness did not cosign: ${error.message}`),
    reportFailure: (err) =>
      logger.error({ err }, 'the requests for cosignatures failed; the next round repeats them'),
  });
}

/** The service works without witnesses, so silent witnesses count only as impaired. */
export function witnessReadiness(witnessing: Witnessing | undefined): Readiness {
  if (witnessing === undefined) return {};
  return {
    async witnesses() {
      const { witnesses } = witnessing;
      const silent = witnessing.listSilent().map(({ url }) => url);
      if (silent.length === 0) return `ok (${witnesses.length} configured)`;
      return `impaired: ${silent.length} of ${witnesses.length} witnesses do not answer: ${silent.join(', ')}`;
    },
  };
}
