import { manage } from '../strings/manage.js';
import { published } from '../strings/public.js';

const EMPTY = ['null', '""', '[]'];
const UNSAID = ['id', 'projectId'];
/** Details whose value is a role. */
const WITH_ROLE = ['role', 'from', 'to'];

/** Returns, for example, `name: Front page; left out: names, notes`. Omits `id`, `projectId` and empty values. */
export function sayDetails(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .filter(([name, value]) => !UNSAID.includes(name) && !EMPTY.includes(JSON.stringify(value)))
    .map(([name, value]) => `${manage.audit.names[name] ?? name}: ${sayValue(name, value)}`)
    .join('; ');
}

function sayValue(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => sayItem(name, one)).join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  const roles: Readonly<Record<string, string>> = manage.members.roles;
  const text = String(value);
  return (WITH_ROLE.includes(name) ? roles[text] : undefined) ?? text;
}

function sayItem(name: string, item: unknown): string {
  if (typeof item !== 'string') return JSON.stringify(item);
  const things: Readonly<Record<string, string>> = published.withholdable;
  const words = { withhold: things, settings: manage.audit.names }[name];
  return words?.[item] ?? item;
}
