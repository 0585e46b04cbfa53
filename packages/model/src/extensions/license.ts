import * as z from 'zod';
import { writtenInstant } from './extension-fields.js';

/** Key of the extension for the licence terms of content. */
export const LICENSE_EXTENSION = 'ext:license@1.0.0';

/**
 * `{type, commercial?, derivatives?, shareAlike?, attribution?, termsUrl?, expires?, aiTraining?, ...}`.
 *
 * `type` is an SPDX identifier or a custom name. `grantedBy` is an entity id. `aiTraining: "reserved"` reserves the
 * rights of Directive (EU) 2019/790, Article 4(3). Source: the ProvenanceKit extension set.
 */
export const licenseExtensionSchema = z
  .looseObject({
    type: z.string(),
    commercial: z.boolean().optional(),
    derivatives: z.boolean().optional(),
    shareAlike: z.boolean().optional(),
    attribution: z.enum(['required', 'requested', 'none']).optional(),
    attributionText: z.string().optional(),
    termsUrl: z.url().optional(),
    jurisdiction: z.string().optional(),
    expires: writtenInstant.optional(),
    grantedBy: z.string().optional(),
    grantType: z.enum(['license', 'purchase', 'transfer', 'open', 'agreement']).optional(),
    transactionRef: z.string().optional(),
    aiTraining: z.enum(['permitted', 'reserved', 'unspecified']).optional(),
  })
  .meta({ id: 'LicenseExtension', description: 'The licence terms of content' });

/** The licence terms of content. */
export type LicenseExtension = z.infer<typeof licenseExtensionSchema>;

/**
 * Returns the licence that a record states, such as `CC-BY-4.0`; undefined if none.
 *
 * @example
 * licenseOf({ extensions: { 'ext:license@1.0.0': { type: 'CC-BY-4.0' } } }); // => 'CC-BY-4.0'
 */
export function licenseOf({
  extensions,
}: {
  extensions?: Record<string, unknown> | undefined;
}): string | undefined {
  const license = licenseExtensionSchema.safeParse(extensions?.[LICENSE_EXTENSION]);
  return license.success ? license.data.type : undefined;
}

/** A publication can show these members without the others, which are about people or can contain any data. */
const TERMS: readonly string[] = [
  'type',
  'commercial',
  'derivatives',
  'shareAlike',
  'attribution',
  'termsUrl',
  'jurisdiction',
  'expires',
  'grantType',
  'aiTraining',
];

/** Returns the licence without `attributionText`, `grantedBy`, `transactionRef` and unknown members. */
export function licenseTermsOf({
  extensions,
}: {
  extensions?: Record<string, unknown> | undefined;
}): Record<string, unknown> | undefined {
  const license = licenseExtensionSchema.safeParse(extensions?.[LICENSE_EXTENSION]);
  if (!license.success) return undefined;
  return Object.fromEntries(Object.entries(license.data).filter(([name]) => TERMS.includes(name)));
}

/** Whether `licenseTermsOf` returns all members of this `ext:license` extension. */
export function isTermsAlone(extension: unknown): boolean {
  const license = licenseExtensionSchema.safeParse(extension);
  return license.success && Object.keys(license.data).every((name) => TERMS.includes(name));
}
