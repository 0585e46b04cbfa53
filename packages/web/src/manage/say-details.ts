import { manage } from '../strings/manage.js';

const EMPTY = ['null', '""', '[]'];
const UNSAID = ['id', 'projectId'];
/** Names of the details whose value is a role. Changes of members and invitations have these details. */
const WITH_ROLE = ['role', 'from', 'to'];

/**
 * Formats a change in one line, such as `name: Front page, permissions: read`. Roles have the same names as elsewhere
 * on the page. Omits `id`, `projectId` and empty values.
 */
export function sayDetails(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .filter(([name, value]) => !UNSAID.includes(name) && !EMPTY.includes(JSON.stringify(value)))
    .map(([name, value]) => `${name}: ${sayValue(name, value)}`)
    .join(', ');
}

function sayValue(name: string, value: unknown): string {
  if (typeof value === 'object') return JSON.stringify(value);
  const roles: Readonly<Record<string, string>> = manage.members.roles;
  const text = String(value);
  return (WITH_ROLE.includes(name) ? roles[text] : undefined) ?? text;
}
