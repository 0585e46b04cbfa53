import type { ProofVersion } from '@colophon/model';
import { z } from 'zod';
import { PROOF_VERSION } from '../../records/read/prove-bundle.js';

/** Query parameter: the version of a proof. */
export const proofVersionQuery = z
  .enum(['1', '2'])
  .transform((version): ProofVersion => (version === '1' ? 1 : 2))
  .default(PROOF_VERSION)
  .meta({
    description:
      'Version of the proof: 2 also shows that no attribution is missing; 1 is for older verifiers',
  });
