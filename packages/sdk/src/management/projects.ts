import type { Project, ProjectItem, ProjectPatch, ProjectRequest, RequestLog, Usage } from '@colophon/model';
import { path } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** Projects. Each has its own records, bytes and keys. */
export interface Projects {
  /**
   * Returns the projects of an organisation, without their certificates: `get` returns these. Throws `ApiError` `NotFound`.
   *
   * @example
   * (await management.projects.list('planet')).map(({ name }) => name); // => ['Front page']
   */
  list(orgSlug: string, options?: CallOptions): Promise<ProjectItem[]>;
  /**
   * Creates a project. By default, its slug is derived from the name. Requires the role `developer`. Throws
   * `ApiError`: `Conflict`, `NotFound`, `Forbidden`, `ValidationError`.
   *
   * @example
   * (await management.projects.create({ orgSlug: 'planet', name: 'Sports' })).slug; // => 'sports'
   */
  create(project: ProjectRequest, options?: CallOptions): Promise<Project>;
  /**
   * Returns a project, without its secrets. Throws `ApiError` `NotFound`.
   *
   * @example
   * (await management.projects.get(projectId)).name; // => 'Front page'
   */
  get(id: string, options?: CallOptions): Promise<Project>;
  /**
   * Changes a project. Absent members stay unchanged; null removes a value. Requires the role `developer`, or the role
   * `admin` to set `publicLog` to true. Throws `ApiError`: `NotFound`, `Forbidden`, `Conflict`, `ValidationError`.
   *
   * @example
   * (await management.projects.update(projectId, { aiTrainingOptOut: true })).aiTrainingOptOut; // => true
   */
  update(id: string, patch: ProjectPatch, options?: CallOptions): Promise<Project>;
  /**
   * Deletes a project. Its records stay, and its keys become invalid. Requires the role `admin`. Throws `ApiError`:
   * `NotFound`, `Forbidden`.
   *
   * @example
   * const { id } = await management.projects.create({ orgSlug: 'planet', name: 'Short lived' });
   * await management.projects.delete(id); // => { deleted: true }
   */
  delete(id: string, options?: CallOptions): Promise<{ deleted: true }>;
  /**
   * Returns the usage of a project in the last 30 days. Throws `ApiError` `NotFound`.
   *
   * @example
   * (await management.projects.usage(projectId)).summary.totalCalls; // => 0
   */
  usage(id: string, options?: CallOptions): Promise<Usage>;
  /**
   * Returns the newest requests to a project, at most `limit` (1 to 100). Throws `ApiError` `NotFound`.
   *
   * @example
   * (await management.projects.requestLog(projectId, { limit: 5 })).logs; // => []
   */
  requestLog(id: string, query?: { limit?: number }, options?: CallOptions): Promise<RequestLog>;
}

export function createProjects({ ask }: Transport): Projects {
  return {
    list: (orgSlug, options) => ask({ method: 'GET', path: path`/orgs/${orgSlug}/projects` }, options),
    create: (json, options) => ask({ method: 'POST', path: '/projects', json }, options),
    get: (id, options) => ask({ method: 'GET', path: path`/projects/${id}` }, options),
    update: (id, json, options) => ask({ method: 'PUT', path: path`/projects/${id}`, json }, options),
    delete: (id, options) => ask({ method: 'DELETE', path: path`/projects/${id}` }, options),
    usage: (id, options) => ask({ method: 'GET', path: path`/projects/${id}/usage` }, options),
    requestLog: (id, query = {}, options) =>
      ask({ method: 'GET', path: path`/projects/${id}/logs`, query }, options),
  };
}
