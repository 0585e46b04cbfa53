import type { PageClient } from '@colophon/sdk';
import type { ChosenProject } from './kept-project.js';

const MAX_ORGS = 10;
/** Projects of which the page reads the newest content. */
const MAX_PROJECTS = 20;

/**
 * Returns the project that the user last used in this browser, or else the first one. If the first is empty, returns
 * the one with the newest content.
 */
export async function findUsualProject(
  page: PageClient,
  { lastId, signal }: { lastId: string | undefined; signal: AbortSignal },
): Promise<ChosenProject | undefined> {
  const { orgs, projects } = page.management;
  const all: ChosenProject[] = [];
  for (const { slug } of (await orgs.list({ signal })).slice(0, MAX_ORGS)) {
    const listed = (await projects.list(slug, { signal })).map(({ id, name }) => ({ id, name }));
    const last = listed.find(({ id }) => id === lastId);
    if (last !== undefined) return last;
    const isFirst = all.length === 0;
    all.push(...listed);
    const [first] = listed;
    const mayEnd = isFirst && first !== undefined && lastId === undefined;
    if (mayEnd && (await readNewest(page, first, signal)) !== '') return first;
  }
  const [first] = all;
  // With a `lastId`, the loop has not checked whether the first project is empty.
  const isUnread = lastId !== undefined && first !== undefined;
  if (isUnread && (await readNewest(page, first, signal)) !== '') return first;
  return findNewest(page, all.slice(0, MAX_PROJECTS), signal);
}

async function findNewest(page: PageClient, projects: ChosenProject[], signal: AbortSignal) {
  const times = await Promise.all(projects.map((project) => readNewest(page, project, signal)));
  const known = times.map((time) => time ?? '');
  return projects[known.indexOf([...known].sort().at(-1) ?? '')];
}

/** Reads the newest content. The result is empty without content, and undefined after an error. */
function readNewest(
  page: PageClient,
  { id }: ChosenProject,
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = page.project(id).resources.list({ limit: 1 }, { signal });
  return found.then(
    ({ resources }) => resources[0]?.createdAt ?? '',
    () => undefined, // such as too many requests; the user can still choose a project
  );
}
