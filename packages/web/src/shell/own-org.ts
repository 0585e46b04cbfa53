import type { Org } from '@colophon/model';

/** The organisation of projects in the configuration. Nobody can create a project in it. */
export const LOCAL_ORG = 'local';

export function findOwnOrg(orgs: readonly Pick<Org, 'slug' | 'role'>[]): string | undefined {
  return orgs.find(({ slug, role }) => slug !== LOCAL_ORG && role !== 'viewer')?.slug;
}

export function pathToNewProject(orgs: readonly Pick<Org, 'slug' | 'role'>[]): string {
  const own = findOwnOrg(orgs);
  return own === undefined ? '/manage?new=organisation' : `/manage/orgs/${own}`;
}
