import { randomUUID } from 'node:crypto';
import type { Service } from '../support/service.js';

export interface ProjectClient {
  call(path: string, init?: RequestInit): Promise<Answer>;
  /** Reads all pages. */
  list<Item>(path: string, of: string): Promise<Item[]>;
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the test compares answers by their content
  body: any;
}

const USER = 'operator';
const ORG = { slug: 'properties', name: 'Properties' };

/** Call it once for each service. */
export async function openOrganisation(service: Service): Promise<void> {
  await manage(service, '/orgs', ORG);
}

export async function openProject(service: Service): Promise<ProjectClient> {
  const project = await manage(service, '/projects', {
    orgSlug: ORG.slug,
    name: 'Project',
    slug: `p-${randomUUID().slice(0, 13)}`,
  });
  const { key } = await manage(service, '/api-keys', {
    projectId: project.id,
    name: 'everything',
    permissions: 'admin',
  });
  const headers = { authorization: `Bearer ${key}` };
  const call: ProjectClient['call'] = async (path, init = {}) => {
    const answer = await service.send(path, { ...init, headers: { ...init.headers, ...headers } });
    return { status: answer.status, body: await answer.json() };
  };
  return {
    call,
    async list(path, of) {
      const found = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await call(
          `${path}${path.includes('?') ? '&' : '?'}limit=3${cursor && `&cursor=${cursor}`}`,
        );
        if (page.status !== 200) throw new Error(JSON.stringify(page.body));
        found.push(...page.body[of]);
        cursor = page.body.nextCursor;
      }
      return found;
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the test compares answers by their content
async function manage(service: Service, path: string, body: object): Promise<any> {
  const answer = await service.manage(USER, path, { body });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
}
