import * as z from 'zod';
import { bundleProofSchema } from './bundle-proof.js';

/** Records stay unparsed: the digest of a record covers its members. */
const record = z.looseObject({ id: z.string() });
const names = z.array(z.string());

/** A bundle with its proof, from an untrusted source. */
export const claimedBundleSchema = z.looseObject({
  cid: z.string(),
  entities: z.array(record),
  actions: z.array(
    record.extend({ performedBy: z.string(), inputCids: names, outputCids: names, digest: z.string() }),
  ),
  attributions: z.array(record.extend({ entityId: z.string() })),
  aliases: z.record(z.string(), z.string()).default({}),
  complete: z.boolean(),
  proof: bundleProofSchema,
});

/** A proven bundle before verification. */
export type ClaimedBundle = z.output<typeof claimedBundleSchema>;
