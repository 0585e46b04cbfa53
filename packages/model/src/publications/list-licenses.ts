import { LICENSE_EXTENSION, licenseExtensionSchema } from '../extensions/license.js';
import type { PublishedHistory } from './published-history.js';

/**
 * Returns the licences of the content itself, such as `CC-BY-4.0`, without duplicates: from its record, and from the
 * steps that made it. Returns none if the publication withholds them.
 *
 * @example
 * const extensions = { 'ext:license@1.0.0': { type: 'CC-BY-4.0' } };
 * const own = { cid: 'b', type: 'image', recordedAt: '2026-03-02T09:00:00.000Z', extensions };
 * listLicenses({ cid: 'b', contents: [own], steps: [] }); // => ['CC-BY-4.0']
 */
export function listLicenses({
  cid,
  contents,
  steps,
}: Pick<PublishedHistory, 'cid' | 'contents' | 'steps'>): string[] {
  const own = contents.filter((content) => content.cid === cid);
  const making = steps.filter(({ outputs }) => outputs.includes(cid));
  const found = [...own, ...making].flatMap(({ extensions }) => {
    const license = licenseExtensionSchema.safeParse(extensions?.[LICENSE_EXTENSION]);
    return license.success ? [license.data.type] : [];
  });
  return [...new Set(found)];
}
