/** Converts a parameter to PostgreSQL's text form. The database infers its type. */
export function toParameterText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(toElementText).join(',')}}`;
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

/** Converts an element of an array (PostgreSQL 15 §8.15.2). */
function toElementText(value: unknown): string {
  if (Array.isArray(value)) return toParameterText(value) ?? 'NULL';
  const text = toParameterText(value);
  return text === null ? 'NULL' : `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
