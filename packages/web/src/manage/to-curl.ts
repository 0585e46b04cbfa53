import type { CreatedApiKey } from '@colophon/model';

const ACTIVITY = { entity: { role: 'human', name: 'Ann' }, action: { type: 'create' } };

/** Returns a command that records a file with a new key. With a key that only reads, it lists the newest actions. */
export function toCurl(
  { key, permissions }: Pick<CreatedApiKey, 'key' | 'permissions'>,
  base: string,
): string {
  const authorized = `curl -H 'Authorization: Bearer ${key}'`;
  if (permissions === 'read') return `${authorized} '${base}/v1/actions?limit=1'`;
  return `${authorized} -F 'file=@photo.jpg' -F 'json=${JSON.stringify(ACTIVITY)}' ${base}/v1/activity`;
}
