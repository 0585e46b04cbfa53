import type { Described } from '../../search/descriptor.js';
import type { SearchContext } from '../../search/search-pool.js';
import type { RecordDeps } from '../deps.js';
import type { StagedMedia } from '../draft/stage-media.js';
import { DECODER_LIMIT_MS } from './decode-video.js';
import { describeAndSearch } from './describe-and-search.js';
import { findMatches } from './find-matches.js';
import { describeFile, toQueried } from './search-file.js';

export interface ProjectMatch {
  projectId: string;
  cid: string;
  judgement: 'auto' | 'review';
}

/** `tenant`: the id of this background task in the fair queue, in place of a project. */
interface ProjectSearch {
  file: StagedMedia;
  projectIds: readonly string[];
  tenant: string;
  signal: AbortSignal;
}

/** Describes the file once for all projects. Throws when the service cannot describe it. */
export async function searchProjects(
  deps: RecordDeps,
  { file, projectIds, tenant, signal }: ProjectSearch,
): Promise<ProjectMatch[]> {
  const { matching, reads } = deps;
  const queried = toQueried(deps, file);
  const steps = {
    content: queried,
    describe: (place: SearchContext) =>
      describeFile(deps, { ...queried, file, limitMs: DECODER_LIMIT_MS.background }, place),
    async search(described: Described, place: SearchContext) {
      const found: ProjectMatch[] = [];
      for (const projectId of projectIds) {
        place.signal.throwIfAborted();
        const matches = await findMatches({ db: reads, matching }, projectId, { described, place });
        found.push(...matches.map(({ match, judgement }) => ({ projectId, cid: match.cid, judgement })));
      }
      return found;
    },
  };
  const turn = { projectId: tenant, isBackground: true, canRestart: true, signal };
  return describeAndSearch(deps, steps, turn);
}
