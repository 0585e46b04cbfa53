const LOCAL = 'local:';

interface Named {
  id: string;
  name: string | null;
}

/** Returns the name of a user. Without one, returns the sign-in name of a local account, or else the id. */
export function nameUser({ id, name }: Named): string {
  return name ?? signInNameOf(id) ?? id;
}

/**
 * Returns the name of a user, or else the sign-in name. Undefined if the user has neither, or if the name contains `@`:
 * publications can show the result, and must not show an e-mail address.
 */
export function nameForReaders({ id, name }: Named): string | undefined {
  const known = name ?? signInNameOf(id);
  return !known || known.includes('@') ? undefined : known;
}

/** Returns the name with which the user of a local account signs in; undefined for other accounts. */
export function signInNameOf(userId: string): string | undefined {
  return userId.startsWith(LOCAL) ? userId.slice(LOCAL.length) : undefined;
}
