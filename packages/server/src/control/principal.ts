import type { Permission, ProjectLimits } from '@colophon/model';

interface ProjectAccess {
  projectId: string;
  /** The user who created the project's organisation, with the prefix `user `. Null if no user is known. */
  owner: string | null;
  permission: Permission;
  /** The only entity for which the caller can record. Null: any entity. */
  entityId: string | null;
  /** Whether the project forbids others to use its content for AI training. */
  aiTrainingOptOut: boolean;
  /** Undefined when the project has no limits. */
  limits?: ProjectLimits;
}

export interface KeyPrincipal extends ProjectAccess {
  keyId: string;
}

/** A signed-in user of the page, in a project of one of the user's organisations. */
export interface MemberPrincipal extends ProjectAccess {
  userId: string;
  entityId: null;
}

export type Principal = KeyPrincipal | MemberPrincipal;

/** Each key has its own id. A user has a different id in each project. */
export function callerIdOf(principal: Principal): string {
  if ('keyId' in principal) return principal.keyId;
  return `page:${principal.projectId}:${principal.userId}`;
}
