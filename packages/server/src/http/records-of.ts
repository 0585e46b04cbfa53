import type { FastifyRequest } from 'fastify';
import type { RecordNeeds } from '../records/needs.js';
import type { AppNeeds } from './app.js';

/** What the use cases of records work with for this request: their warnings name it and its project. */
export function recordsOf({ records }: AppNeeds, { log, holder }: FastifyRequest): RecordNeeds {
  const warn: RecordNeeds['proofs']['warn'] = (message, facts) =>
    log.warn({ project: holder?.projectId, ...facts }, message);
  return { ...records, proofs: { ...records.proofs, warn } };
}
