export type PathValues = Readonly<Record<string, string>>;

/** Matches a pattern such as `/shares/:cid`. Returns the values by name. */
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
    return undefined; // the percent-encoding is invalid
  }
}
