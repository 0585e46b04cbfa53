/** Returns the strings in a member of the JSON body as sent. A performer signs these, not their canonical form. */
export function sentNames(sent: unknown, member: string): string[] {
  const value: unknown = Object(sent)[member];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
