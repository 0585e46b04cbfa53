const LOCAL = 'local:';

/** Returns the name of a user. Without one, returns the sign-in name of a local account, or else the id. */
export function nameUser({ id, name }: { id: string; name: string | null }): string {
  return name ?? signInNameOf(id) ?? id;
}

/** Returns the name with which the user of a local account signs in; undefined for other accounts. */
export function signInNameOf(userId: string): string | undefined {
  return userId.startsWith(LOCAL) ? userId.slice(LOCAL.length) : undefined;
}
