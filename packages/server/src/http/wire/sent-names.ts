/** Returns the strings of a member as the caller sent them: a performer signs these, not their canonical form. */
export function sentNames(sent: unknown, member: string): string[] {
  const value: unknown = Object(sent)[member];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
