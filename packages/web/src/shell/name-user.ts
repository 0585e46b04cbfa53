/**
 * Returns the name of a user. Without one, returns the sign-in name of a local account, whose id begins with `local:`,
 * or else the id.
 */
export function nameUser({ id, name }: { id: string; name: string | null }): string {
  return name ?? id.replace(/^local:/, '');
}
