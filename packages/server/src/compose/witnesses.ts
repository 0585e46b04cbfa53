import { parseWitnessKey } from '@colophon/model';
import type { Logger } from 'pino';
import { createVerifySignature } from '../access/ed25519.js';
import type { Config } from '../config.js';
import type { TransparencyLogDeps } from '../transparency-log/deps.js';
import { startWitnessing } from '../witnesses/start-witnessing.js';

/** Requests cosignatures from the configured witnesses. Without witnesses or a key of the log, it does nothing. */
export function openWitnesses(
  { witnessing }: Config,
  logs: TransparencyLogDeps,
  logger: Logger,
): { close(): Promise<void> } {
  if (witnessing === undefined || logs.signer === undefined) return { close: async () => {} };
  const witnesses = witnessing.witnesses.flatMap(({ keyText, url }) => {
    const key = parseWitnessKey(keyText);
    return key === undefined ? [] : [{ keyText, key, url }];
  });
  return startWitnessing(
    { ...witnessing, witnesses },
    {
      logs,
      verify: createVerifySignature(),
      reportRefusal: (error, { projectId }) =>
        logger.warn({ project: projectId, err: error }, `a witness did not cosign: ${error.message}`),
      reportFailure: (err) => logger.error({ err }, 'no witness could be asked; the next round asks again'),
    },
  );
}
