const LOCAL = 'local:';

interface Named {
  id: string;
  name: string | null;
}

/** Falls back to the sign-in name, and then to the id. */
export function nameUser({ id, name }: Named): string {
  return name ?? signInNameOf(id) ?? id;
}

/** Returns undefined for a name with `@`, because publications must not show an e-mail address. */
export function nameForReaders({ id, name }: Named): string | undefined {
  const known = name ?? signInNameOf(id);
  return !known || known.includes('@') ? undefined : known;
}

/** Returns undefined without a local account. */
export function signInNameOf(userId: string): string | undefined {
  return userId.startsWith(LOCAL) ? userId.slice(LOCAL.length) : undefined;
}
