import type { Bundle } from '@colophon/model';

/**
 * Returns the canonical CIDs of the contents of a bundle: first the content whose history the bundle has, then the
 * outputs and inputs of all actions, from the newest action to the oldest, then all other resources. Reads the actions
 * too, because content that is only an input of an action has no entry in `resources`.
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
