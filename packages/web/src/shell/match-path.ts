/** Values of an address, by the names that its pattern gives them. */
export type PathValues = Readonly<Record<string, string>>;

/** The values of `path` by a pattern such as `/shares/:cid`; undefined when it is another address. */
export function matchPath(pattern: string, path: string): PathValues | undefined {
  const names = segmentsOf(pattern);
  const given = segmentsOf(path);
  if (names.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const value = decode(given[index] ?? '');
    if (value === undefined) return undefined;
    if (name.startsWith(':')) values[name.slice(1)] = value;
    else if (name !== value) return undefined;
  }
  return values;
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined; // no address of ours holds a percent sign that encodes nothing
  }
}
