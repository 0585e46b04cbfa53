const EDGES = ['dependencies', 'optionalDependencies', 'peerDependencies'];

/** Returns the lock paths of the packages that these workspaces need at run time. */
export function reachable(packages, workspaces) {
  const seen = new Set();
  const waiting = [...workspaces];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const entry = packages[path];
    if (entry.link) waiting.push(entry.resolved);
    const names = EDGES.flatMap((field) => Object.keys(entry[field] ?? {}));
    const isOptional = (name) => entry.peerDependenciesMeta?.[name]?.optional === true;
    waiting.push(
      ...names.filter((name) => !isOptional(name)).flatMap((name) => find(packages, path, name) ?? []),
    );
  }
  return [...seen];
}

/** Node resolves `name` in the same folder or in a parent folder. */
export function find(packages, path, name) {
  for (let place = path; ; place = place.replace(/(^|\/)[^/]*$/, '')) {
    const candidate = `${place}/node_modules/${name}`.replace(/^\//, '');
    if (packages[candidate]) return candidate;
    if (place === '') return undefined;
  }
}
