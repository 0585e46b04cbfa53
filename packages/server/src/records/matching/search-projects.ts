import type { RecordDeps } from '../deps.js';
import type { StagedMedia } from '../draft/stage-media.js';
import { memoryToDescribe } from './describe-content.js';
import { findMatches } from './find-matches.js';
import { decodeFile, describeFile, toQueried } from './search-file.js';

export interface ProjectMatch {
  projectId: string;
  cid: string;
  judgement: 'auto' | 'review';
}

/** `tenant` waits in the fair queue. It gets a slot when no task with a waiting caller is left. */
interface ProjectSearch {
  file: StagedMedia;
  projectIds: readonly string[];
  tenant: string;
  signal: AbortSignal;
}

/**
 * Finds content of these projects that the file was made from. Describes the file once. Throws when its type or size
 * cannot be described.
 */
export async function searchProjects(
  deps: RecordDeps,
  { file, projectIds, tenant, signal }: ProjectSearch,
): Promise<ProjectMatch[]> {
  const { matching, reads, scheduler } = deps;
  const queried = toQueried(deps, file);
  const frames = await decodeFile(deps, file, { projectId: tenant, isBackground: true, signal });
  const memoryBytes = await memoryToDescribe(matching, queried);
  const turn = { kind: 'search', projectId: tenant, isBackground: true, signal, memoryBytes } as const;
  return scheduler.run(turn, async (running, hold) => {
    const place = { signal: running, hold };
    const described = await describeFile(deps, { ...queried, file, frames }, place);
    const found: ProjectMatch[] = [];
    for (const projectId of projectIds) {
      running.throwIfAborted();
      const matches = await findMatches({ db: reads, matching }, projectId, { described, place });
      found.push(...matches.map(({ match, judgement }) => ({ projectId, cid: match.cid, judgement })));
    }
    return found;
  });
}
