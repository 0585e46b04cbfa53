import { LICENSE_EXTENSION, licenseExtensionSchema } from '@colophon/model';

/** Returns the recorded licence of a record, such as `CC-BY-4.0`; undefined if none. */
export function licenseOf({
  extensions,
}: {
  extensions?: Record<string, unknown> | undefined;
}): string | undefined {
  const license = licenseExtensionSchema.safeParse(extensions?.[LICENSE_EXTENSION]);
  return license.success ? license.data.type : undefined;
}
