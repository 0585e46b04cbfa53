import { setNewest } from '../platform/work/set-newest.js';

const MAX_PROJECTS = 10_000;
/** For this time after its last response, an owner still counts as an owner with requests. */
export const OWNERS_APART_MS = 10_000;

/** The projects of one owner share its turns. */
export interface ProjectOwners {
  /** `owner`: the user who created the project's organisation, or null if no user is known. */
  note(project: { projectId: string; owner: string | null }): void;
  /** A project without a known owner is its own owner. */
  ownerOf(projectId: string): string;
}

export function createProjectOwners(): ProjectOwners {
  const known = new Map<string, string>();
  return {
    note({ projectId, owner }) {
      if (owner !== null && known.get(projectId) !== owner) setNewest(known, projectId, owner, MAX_PROJECTS);
    },
    ownerOf: (projectId) => known.get(projectId) ?? projectId,
  };
}
