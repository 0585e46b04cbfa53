const PLACE = 'colophon.project';
/** Returns the key under which the browser stores the project that a user last used. */
const placeOfLast = (userId: string) => `${PLACE}.${userId}`;

export interface ChosenProject {
  id: string;
  name: string;
}

/** Another user who signs in with the same tab does not get this choice. */
export interface KeptProject extends ChosenProject {
  userId: string;
}

/** The caller compares `userId` with the signed-in user. */
export function readProject(): KeptProject | undefined {
  try {
    const { id, name, userId } = JSON.parse(window.sessionStorage.getItem(PLACE) ?? '{}');
    const isWhole = [id, name, userId].every((value) => typeof value === 'string');
    return isWhole ? { id, name, userId } : undefined;
  } catch {
    return undefined; // another version of the page stored something else
  }
}

export function keepProject(project: KeptProject | undefined): void {
  if (project === undefined) window.sessionStorage.removeItem(PLACE);
  else {
    const { id, name, userId } = project;
    window.sessionStorage.setItem(PLACE, JSON.stringify({ id, name, userId }));
    window.localStorage.setItem(placeOfLast(userId), id);
  }
}

/** A sign-out does not delete this id. */
export function readLastProject(userId: string): string | undefined {
  return window.localStorage.getItem(placeOfLast(userId)) ?? undefined;
}
