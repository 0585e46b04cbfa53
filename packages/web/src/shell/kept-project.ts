const PLACE = 'colophon.project';

/** A project of the signed-in user. */
export interface ChosenProject {
  id: string;
  name: string;
}

/** Returns the project that this tab shows to the signed-in user. The tab stores it until it is closed. */
export function readProject(): ChosenProject | undefined {
  try {
    const { id, name } = JSON.parse(window.sessionStorage.getItem(PLACE) ?? '{}');
    return typeof id === 'string' && typeof name === 'string' ? { id, name } : undefined;
  } catch {
    return undefined; // another version of the page stored something else
  }
}

/** Stores a project. Undefined removes the stored project. */
export function keepProject(project: ChosenProject | undefined): void {
  if (project === undefined) window.sessionStorage.removeItem(PLACE);
  else window.sessionStorage.setItem(PLACE, JSON.stringify({ id: project.id, name: project.name }));
}
