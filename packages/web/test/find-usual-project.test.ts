import type { PageClient } from '@colophon/sdk';
import { describe, expect, it } from 'vitest';
import { findUsualProject } from '../src/shell/find-usual-project.js';

/**
 * The projects of each organisation by id. The value is the time of the newest content, an empty text for an empty
 * project, or `fault` for a project that cannot be read.
 */
type Orgs = Record<string, Record<string, string>>;

function pageOf(orgs: Orgs): PageClient {
  const times: Record<string, string> = Object.assign({}, ...Object.values(orgs));
  return {
    management: {
      orgs: { list: async () => Object.keys(orgs).map((slug) => ({ slug })) },
      projects: {
        list: async (slug: string) => Object.keys(orgs[slug] ?? {}).map((id) => ({ id, name: id })),
      },
    },
    project: (id: string) => ({
      resources: {
        async list() {
          if (times[id] === 'fault') throw new Error('too many requests');
          return { resources: times[id] ? [{ createdAt: times[id] }] : [] };
        },
      },
    }),
  } as unknown as PageClient;
}

async function find(orgs: Orgs, lastId?: string): Promise<string | undefined> {
  return (await findUsualProject(pageOf(orgs), { lastId, signal: new AbortController().signal }))?.id;
}

const FULL_FIRST = { planet: { first: '2026-01-01', newest: '2026-03-01' }, desk: { last: '2026-02-01' } };
const EMPTY_FIRST = { planet: { first: '', newest: '2026-03-01' }, desk: { last: '2026-02-01' } };

describe('the project that the page opens by default', () => {
  it('is the one that the user last used, in any organisation', async () => {
    expect(await find(FULL_FIRST, 'last')).toBe('last');
  });

  it.each([
    ['no project was used before', undefined],
    ['the last used project no longer exists', 'deleted'],
  ])(
    'is the first one, or the one with the newest content if the first is empty: %s',
    async (_who, lastId) => {
      expect(await find(FULL_FIRST, lastId)).toBe('first');
      expect(await find({ none: {}, ...FULL_FIRST }, lastId)).toBe('first');
      expect(await find(EMPTY_FIRST, lastId)).toBe('newest');
      expect(await find({ planet: { first: '' }, desk: { last: '' } }, lastId)).toBe('first');
      expect(await find({ planet: {} }, lastId)).toBeUndefined();
      expect(await find({ planet: { ...FULL_FIRST.planet, first: 'fault' } }, lastId)).toBe('first');
      expect(await find({ planet: { ...EMPTY_FIRST.planet, other: 'fault' } }, lastId)).toBe('newest');
    },
  );
});
