import { lengthOf } from '../../platform/json-text.js';

export interface Answer {
  /** One piece, or several for a long response. */
  body: readonly Buffer[];
  /** Strong: the hash of the body. */
  etag: string;
}

export type CachedAnswer = Answer & { revision: number };

export interface AnswerCache {
  /** Returns undefined if the cache has no answer from the newest known revision of the project. */
  find(projectId: string, name: string): CachedAnswer | undefined;
  /** Answers from earlier revisions become invalid. */
  noteRevision(projectId: string, revision: number): void;
  /** Stores an answer, unless it is too large or from an earlier revision. */
  keep(place: { projectId: string; name: string }, answer: CachedAnswer): void;
  bytes(): number;
}

interface CacheEntry {
  answers: Map<string, CachedAnswer>;
  bytes: number;
  /** The newest known revision. */
  revision: number;
}

export const MAX_KEPT_BYTES = 2 ** 20;
/** The share of the cache that one project may fill. */
const SHARE = 1 / 4;
/** Approximate memory of an answer besides its body, and of a project besides its answers. */
const ENTRY_BYTES = 400;

export function createAnswerCache(capacityBytes: number): AnswerCache {
  // The projects in the order of their last use, oldest first. The answers of each project have the same order.
  const projects = new Map<string, CacheEntry>();
  let bytes = 0;

  function drop(project: CacheEntry, name: string): void {
    const answer = project.answers.get(name);
    if (answer === undefined) return;
    project.answers.delete(name);
    project.bytes -= sizeOf(name, answer);
    bytes -= sizeOf(name, answer);
  }

  function dropOldest(project: CacheEntry): void {
    const [oldest] = project.answers.keys();
    if (oldest !== undefined) drop(project, oldest);
  }

  function makeRoom(): void {
    for (const [projectId, project] of projects) {
      while (bytes > capacityBytes && project.answers.size > 0) dropOldest(project);
      if (bytes <= capacityBytes) return;
      projects.delete(projectId);
      bytes -= project.bytes;
    }
  }

  /** Drops all answers, because they are from earlier revisions. */
  function renew(project: CacheEntry, revision: number): void {
    project.revision = revision;
    project.answers.clear();
    bytes -= project.bytes - ENTRY_BYTES;
    project.bytes = ENTRY_BYTES;
  }

  function add(projectId: string, revision: number): CacheEntry {
    const project = { answers: new Map(), bytes: ENTRY_BYTES, revision };
    projects.set(projectId, project);
    bytes += ENTRY_BYTES;
    return project;
  }

  function use(projectId: string, project: CacheEntry): void {
    projects.delete(projectId);
    projects.set(projectId, project);
  }

  return {
    find(projectId, name) {
      const project = projects.get(projectId);
      const answer = project?.answers.get(name);
      if (project === undefined || answer === undefined) return undefined;
      project.answers.delete(name);
      project.answers.set(name, answer);
      use(projectId, project);
      return answer;
    },
    noteRevision(projectId, revision) {
      const project = projects.get(projectId);
      if (project !== undefined && project.revision < revision) renew(project, revision);
    },
    keep({ projectId, name }, answer) {
      const size = sizeOf(name, answer);
      if (lengthOf(answer.body) > MAX_KEPT_BYTES || size > capacityBytes * SHARE) return;
      const project = projects.get(projectId) ?? add(projectId, answer.revision);
      if (answer.revision < project.revision) return;
      if (answer.revision > project.revision) renew(project, answer.revision);
      drop(project, name);
      project.answers.set(name, answer);
      project.bytes += size;
      bytes += size;
      use(projectId, project);
      while (project.bytes > capacityBytes * SHARE) dropOldest(project);
      makeRoom();
    },
    bytes: () => bytes,
  };
}

function sizeOf(name: string, { body }: CachedAnswer): number {
  return lengthOf(body) + 2 * name.length + ENTRY_BYTES;
}
