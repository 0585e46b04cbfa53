import type { FastifyRequest } from 'fastify';
import { boundTo } from '../records/bound-key.js';
import type { RecordNeeds } from '../records/needs.js';
import type { AppNeeds } from './app.js';

/** What the use cases of records work with for this request: its key's entity, and warnings that name its project. */
export function recordsOf({ records }: AppNeeds, { log, holder }: FastifyRequest): RecordNeeds {
  const warn: RecordNeeds['proofs']['warn'] = (message, facts) =>
    log.warn({ project: holder?.projectId, ...facts }, message);
  const ofRequest = { ...records, proofs: { ...records.proofs, warn } };
  if (holder === undefined || holder.entityId === null) return ofRequest;
  return boundTo({ keyId: holder.keyId, entityId: holder.entityId }, ofRequest);
}
