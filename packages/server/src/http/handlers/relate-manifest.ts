import type { PublishedMatchKind } from '@colophon/model';
import type { NamedByManifest } from '../../records/credentials/detect-manifest.js';
import type { RecordDeps } from '../../records/deps.js';
import type { WatermarkedContent } from '../../records/matching/find-marked.js';
import { readLabel } from '../../records/matching/soft-bindings.sql.js';

/**
 * Compares the content of a watermark with the content that the manifest of the file names. `contradicted`: the
 * manifest names another watermark of the same kind. `agreed`: a trusted manifest names the same watermark, or is the
 * manifest of the content. `points`: all other cases.
 */
export async function relateManifest(
  { reads }: Pick<RecordDeps, 'reads'>,
  { projectId, cid, binding }: WatermarkedContent,
  names: NamedByManifest | undefined,
): Promise<PublishedMatchKind & ('agreed' | 'contradicted' | 'points')> {
  if (names === undefined) return 'points';
  const values = names.softBindings.filter(({ alg }) => alg === binding.alg).map(({ value }) => value);
  if (values.length > 0 && !values.includes(binding.value)) return 'contradicted';
  if (!names.isTrusted) return 'points';
  if (values.length > 0) return 'agreed';
  const label = await readLabel(reads, projectId, cid);
  return label !== undefined && label === names.label ? 'agreed' : 'points';
}
