import { ApiError } from '@colophon/sdk';

/**
 * If the service rejects a setting, the error has the field's name on the page instead. `names`: the field's name for
 * each setting.
 */
export async function namingFields<Answer>(
  names: Readonly<Record<string, string>>,
  change: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await change();
  } catch (error) {
    const faults = error instanceof ApiError ? readFaults(error.details, names) : [];
    throw faults.length === 0 ? error : new Error(faults.join(' '), { cause: error });
  }
}

function readFaults(details: unknown, names: Readonly<Record<string, string>>): string[] {
  if (!Array.isArray(details)) return [];
  return details.flatMap(({ path, message }: { path?: unknown; message?: unknown }) => {
    const name = typeof path === 'string' ? names[path] : undefined;
    return name === undefined ? [] : [`${name}: ${message}`];
  });
}
