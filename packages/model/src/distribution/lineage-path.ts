import type { Distribution } from './distribution.js';

/**
 * Returns the CIDs on the shortest path from the requested content to `cid`, both included. Returns undefined when
 * the distribution does not include `cid`. `distribution` is a result of `distributeBundle`. If there are several
 * shortest paths, the distribution contains one of them.
 *
 * @example
 * const actions = [{ id: '1', inputCids: ['photo'], outputCids: ['crop'] }];
 * const bundle = { cid: 'crop', actions, attributions: [], entities: [], complete: true };
 * lineagePath(distributeBundle(bundle, { policy: 'all-ancestors' }), 'photo'); // => ['crop', 'photo']
 */
export function lineagePath({ contents }: Pick<Distribution, 'contents'>, cid: string): string[] | undefined {
  const known = new Map(contents.map((content) => [content.cid, content]));
  const path: string[] = [];
  for (let at = known.get(cid); at !== undefined; at = known.get(at.from?.cid ?? '')) {
    if (path.length > contents.length) return undefined;
    path.push(at.cid);
  }
  return path.length === 0 ? undefined : path.reverse();
}
