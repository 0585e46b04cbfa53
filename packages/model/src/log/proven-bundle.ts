import { type Bundle, bundleSchema } from '../records/bundle.js';
import { type BundleProof, bundleProofSchema } from './bundle-proof.js';

/** Schema of a bundle. The proof is present when the caller requested it. */
export const provenBundleSchema = bundleSchema
  .extend({ proof: bundleProofSchema.optional() })
  .meta({ id: 'ProvenBundle' });

/** A bundle with its proof. */
export type ProvenBundle = Bundle & { proof: BundleProof };
