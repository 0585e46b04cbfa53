import * as z from 'zod';
import { bundleProofSchema } from './bundle-proof.js';

/** All members keep their exact values, because the record's digest covers them. */
const record = z.looseObject({ id: z.string() });
const names = z.array(z.string());

/** A proven bundle from an untrusted source. */
export const claimedBundleSchema = z
  .looseObject({
    cid: z.string(),
    entities: z.array(record),
    actions: z.array(
      record.extend({ performedBy: z.string(), inputCids: names, outputCids: names, digest: z.string() }),
    ),
    attributions: z.array(record.extend({ entityId: z.string() })),
    aliases: z.record(z.string(), z.string()).default({}),
    complete: z.boolean(),
    proof: bundleProofSchema,
  })
  .refine(({ attributions, proof }) => proof.version === 1 || attributions.every(hasTextTargets));

function hasTextTargets(attribution: Readonly<Record<string, unknown>>): boolean {
  const isTextIfPresent = (name: string) =>
    !Object.hasOwn(attribution, name) || typeof attribution[name] === 'string';
  return isTextIfPresent('actionId') && isTextIfPresent('resourceCid');
}

/** Before verification. */
export type ClaimedBundle = z.output<typeof claimedBundleSchema>;
