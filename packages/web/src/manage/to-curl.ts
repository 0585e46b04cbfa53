import type { CreatedApiKey } from '@colophon/model';

/**
 * Returns a command that records a file or, if the key can only read, lists the newest action. `isKnown`: the project
 * has the entity of a bound key. Otherwise the command creates the entity with `name`.
 */
export function toCurl(
  { key, permissions, entityId }: Pick<CreatedApiKey, 'key' | 'permissions' | 'entityId'>,
  { base, isKnown, name }: { base: string; isKnown: boolean; name: string },
): string {
  const authorized = `curl -H 'Authorization: Bearer ${key}'`;
  if (permissions === 'read') return `${authorized} '${base}/v1/actions?limit=1'`;
  const bound = entityId === null ? {} : { id: entityId };
  const entity = isKnown ? bound : { ...bound, role: 'human', name };
  const activity = JSON.stringify({ entity, action: { type: 'create' } });
  // With `-F`, curl would read a semicolon in a name as the end of the value.
  return `${authorized} -F 'file=@photo.jpg' --form-string 'json=${quote(activity)}' ${base}/v1/activity`;
}

/** Escapes a text for single quotes in a shell. */
function quote(text: string): string {
  return text.replaceAll("'", String.raw`'\''`);
}
