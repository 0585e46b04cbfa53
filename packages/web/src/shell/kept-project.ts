const PLACE = 'colophon.project';
/** Returns the storage key for the id of the project that a user last used in this browser. */
const placeOfLast = (userId: string) => `${PLACE}.${userId}`;

/** A project of the signed-in user. */
export interface ChosenProject {
  id: string;
  name: string;
}

/** A project that a user chose. Another user who signs in with the same tab does not get this choice. */
export interface KeptProject extends ChosenProject {
  userId: string;
}

/**
 * Returns the stored project of this tab, with the id of its user. The caller compares this id with the signed-in user.
 * The tab stores the project until `keepProject(undefined)` removes it or the user closes the tab.
 */
export function readProject(): KeptProject | undefined {
  try {
    const { id, name, userId } = JSON.parse(window.sessionStorage.getItem(PLACE) ?? '{}');
    const isWhole = [id, name, userId].every((value) => typeof value === 'string');
    return isWhole ? { id, name, userId } : undefined;
  } catch {
    return undefined; // another version of the page stored something else
  }
}

/** Stores a project. Undefined removes the stored project. */
export function keepProject(project: KeptProject | undefined): void {
  if (project === undefined) window.sessionStorage.removeItem(PLACE);
  else {
    const { id, name, userId } = project;
    window.sessionStorage.setItem(PLACE, JSON.stringify({ id, name, userId }));
    window.localStorage.setItem(placeOfLast(userId), id);
  }
}

/** Returns the id of the project that this user last used in this browser. A sign-out does not delete this id. */
export function readLastProject(userId: string): string | undefined {
  return window.localStorage.getItem(placeOfLast(userId)) ?? undefined;
}
