import type { Bundle } from '@colophon/model';
import { readBundleText } from './histories.sql.js';
import type { RecordNeeds } from './needs.js';

/** Most actions of a history that comes along with another answer. */
const MAX_ACTIONS = 1_000;

/** Everything that recorded content was made from, the nearest actions first when there are very many. */
export async function readHistory(
  { reads }: Pick<RecordNeeds, 'reads'>,
  projectId: string,
  cid: string,
): Promise<Bundle> {
  const terms = { cid, direction: 'ancestors', depth: undefined, limit: MAX_ACTIONS } as const;
  const text = await readBundleText(reads, projectId, terms);
  if (text === undefined) throw new Error('Content was found of which nothing is known');
  return JSON.parse(text) as Bundle;
}
