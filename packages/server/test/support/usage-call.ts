import type { CountedCall } from '../../src/management/usage-tally.js';

/** Returns a call that stored nothing, unless `more` states otherwise. */
export function callOf(projectId: string, more: Partial<CountedCall> = {}): CountedCall {
  const usual = { keyId: 'k', endpoint: 'GET /v1/x', status: 200, bytesStored: 0, actionsRecorded: 0 };
  return { projectId, ...usual, at: new Date(), ...more };
}
