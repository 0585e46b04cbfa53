import type { Bundle } from '@colophon/model';

/**
 * Returns canonical CIDs: the content of the bundle, then contents of actions, newest first, then other resources. A
 * content that is only an input has no entry in `resources`.
 */
export function contentsOf({ cid, aliases = {}, actions, resources }: Bundle): string[] {
  const newest = [...actions].sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp));
  const named = [
    cid,
    ...newest.flatMap(({ outputCids, inputCids }) => [...outputCids, ...inputCids]),
    ...resources.map((resource) => resource.cid),
  ];
  return [...new Set(named.map((name) => aliases[name] ?? name))];
}
