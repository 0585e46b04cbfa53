import * as z from 'zod';
import { bundleProofSchema } from './bundle-proof.js';

/** Records are taken as they stand: their digests say what belongs to them. */
const record = z.looseObject({ id: z.string() });
const names = z.array(z.string());

/** A bundle with its proof, as a file may hold it. */
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

/** A proven bundle in which nothing has been verified yet. */
export type ClaimedBundle = z.output<typeof claimedBundleSchema>;
