import type { Queryable } from '../platform/db/database.js';
import { countFindings, readPass } from './integrity.sql.js';

/** The state of the integrity check: its findings, and the end of the last pass. */
export interface IntegrityState {
  findings: { kind: string; problem: string; count: number }[];
  endedAt: Date;
}

/** Reads the shared state of the integrity check of all nodes. */
export async function readIntegrityState(provenance: Queryable): Promise<IntegrityState> {
  const [findings, { endedAt }] = await Promise.all([countFindings(provenance), readPass(provenance)]);
  return { findings, endedAt };
}
