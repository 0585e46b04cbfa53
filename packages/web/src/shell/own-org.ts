import type { Org } from '@colophon/model';

/** The organisation of projects that the configuration defines. Nobody can create a project in it. */
export const LOCAL_ORG = 'local';

/** Returns the first organisation in which the user can create projects. */
export function findOwnOrg(orgs: readonly Pick<Org, 'slug' | 'role'>[]): string | undefined {
  return orgs.find(({ slug, role }) => slug !== LOCAL_ORG && role !== 'viewer')?.slug;
}

/** Returns the path of the form that creates a project. */
export function pathToNewProject(orgs: readonly Pick<Org, 'slug' | 'role'>[]): string {
  const own = findOwnOrg(orgs);
  return own === undefined ? '/manage?new=organisation' : `/manage/orgs/${own}`;
}
