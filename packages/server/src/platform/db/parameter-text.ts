/** PostgreSQL infers the type of a parameter from the statement. */
export function toParameterText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(toElementText).join(',')}}`;
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

/** Quotes an array element as PostgreSQL 15 §8.15.2 requires. */
function toElementText(value: unknown): string {
  if (Array.isArray(value)) return toParameterText(value) ?? 'NULL';
  const text = toParameterText(value);
  return text === null ? 'NULL' : `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
