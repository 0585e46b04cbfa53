import type { FastifyRequest } from 'fastify';
import type { RecordDeps } from '../../records/deps.js';
import { restrictToBoundKey } from '../../records/read/bound-key.js';
import { withSignal } from '../../records/write/recorder.js';
import type { AppDeps } from '../app.js';

/**
 * With an API key that is bound to an entity, the operations act only for this entity. If `signal` aborts while a large
 * record waits for its slot, the service does not record it.
 */
export function recordDepsFor(
  { records }: Pick<AppDeps, 'records'>,
  { log, principal }: FastifyRequest,
  signal?: AbortSignal,
): RecordDeps {
  const warn: RecordDeps['proofs']['warn'] = (message, facts) =>
    log.warn({ project: principal?.projectId, ...facts }, message);
  const recorder = withSignal(records.recorder, signal);
  const ofRequest = { ...records, recorder, proofs: { ...records.proofs, warn } };
  if (principal === undefined || principal.entityId === null) return ofRequest;
  return restrictToBoundKey({ keyId: principal.keyId, entityId: principal.entityId }, ofRequest);
}
