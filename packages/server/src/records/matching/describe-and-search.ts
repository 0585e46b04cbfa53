import type { Scheduler, Turn } from '../../platform/work/scheduler.js';
import type { Described } from '../../search/descriptor.js';
import type { SearchContext } from '../../search/search-pool.js';
import type { MatchingDeps } from './deps.js';
import { memoryToDescribe, type Undescribed } from './describe-content.js';

/** Memory to compare described content with stored content, in bytes. */
const COMPARING_BYTES = 32 * 2 ** 20;

interface DescribedSearch<Found> {
  content: Undescribed;
  /** Undefined for content without usable features. */
  describe(place: SearchContext): Promise<Described | undefined>;
  search(described: Described, place: SearchContext): Promise<Found[]>;
}

/** A video is described in the slot in which it is decoded, so decoded frames never wait for a slot. */
export async function describeAndSearch<Found>(
  { matching, scheduler }: { matching: Pick<MatchingDeps, 'maxPictureBytes'>; scheduler: Scheduler },
  { content, describe, search }: DescribedSearch<Found>,
  turn: Omit<Turn, 'kind' | 'memoryBytes'>,
): Promise<Found[]> {
  const memoryBytes = await memoryToDescribe(matching, content);
  const compare = async (described: Described | undefined, place: SearchContext) =>
    described === undefined ? [] : search(described, place);
  if (content.kind !== 'video')
    return scheduler.run({ ...turn, kind: 'search', memoryBytes }, async (signal, hold) =>
      compare(await describe({ signal, hold }), { signal, hold }),
    );
  const described = await scheduler.run({ ...turn, kind: 'video', memoryBytes }, (signal, hold) =>
    describe({ signal, hold }),
  );
  return scheduler.run({ ...turn, kind: 'search', memoryBytes: COMPARING_BYTES }, (signal, hold) =>
    compare(described, { signal, hold }),
  );
}
