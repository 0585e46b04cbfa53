import { aiLevels } from '../strings/ai-levels.js';

/** `depth`: number of values that contain this one. */
export interface ValueRow {
  /** The names from the outermost value to this one, as JSON. */
  path: string;
  name: string;
  /** Undefined for a value with rows of its own. */
  text: string | undefined;
  depth: number;
}

const NOTHING = '–';

/**
 * The members of an object have rows, and so have the items of a list with objects. A list of plain values is one row.
 */
export function toValueRows(values: object, path: readonly string[] = []): ValueRow[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const own = [...path, key];
    const name = Array.isArray(values) ? String(Number(key) + 1) : nameOf(key);
    const row = { path: JSON.stringify(own), name, depth: path.length };
    if (!hasRows(value)) return [{ ...row, text: sayDisclosure(key, value) ?? toText(value) }];
    return [{ ...row, text: undefined }, ...toValueRows(value, own)];
  });
}

function hasRows(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const inner = Object.values(value);
  return Array.isArray(value) ? inner.some(isObject) : inner.length > 0;
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).join(', ') || NOTHING;
  if (isObject(value) || value === null || value === '') return NOTHING;
  return String(value);
}

function sayDisclosure(key: string, value: unknown): string | undefined {
  if (key !== 'aiDisclosure') return undefined;
  if (value === 'ai_generated') return `${aiLevels.generated} (${value})`;
  return value === 'ai_assisted' ? `${aiLevels.assisted} (${value})` : undefined;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Returns an extension without its prefix and version, such as `license`. */
function nameOf(key: string): string {
  return /^ext:(.+?)@[\d.]+$/.exec(key)?.[1] ?? key;
}
