const EMPTY = ['null', '""', '[]'];
const UNSAID = ['id', 'projectId'];

/**
 * Formats a change in one line, such as `name: Front page, permissions: read`. Omits `id`, `projectId` and empty
 * values.
 */
export function sayDetails(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .filter(([name, value]) => !UNSAID.includes(name) && !EMPTY.includes(JSON.stringify(value)))
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
}
