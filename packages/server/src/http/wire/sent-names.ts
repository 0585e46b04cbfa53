/**
 * Returns the strings in the list `member` of the request, as the caller sent them. Omits other values. Empty if the
 * member is not a list. A proof can cover these strings instead of the canonical CIDs.
 */
export function sentNames(sent: unknown, member: string): string[] {
  const value: unknown = Object(sent)[member];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
