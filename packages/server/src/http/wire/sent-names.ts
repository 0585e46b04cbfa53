/** The strings in a member of a JSON body as it was sent: what a performer signed, before it was made canonical. */
export function sentNames(sent: unknown, member: string): string[] {
  const value: unknown = Object(sent)[member];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
