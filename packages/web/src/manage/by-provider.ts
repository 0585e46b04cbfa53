import { manage } from '../strings/manage.js';

const { failures } = manage.signIn;

/** Where signing in by the provider begins; it leads back to this path. */
export function openIdAddress(returnTo: string): string {
  return `/app/api/openid/begin?${new URLSearchParams({ returnTo })}`;
}

/** What the way back from the provider says went wrong. */
export function failureOf(search: string): string | undefined {
  const code = new URLSearchParams(search).get('sign-in');
  return code === null ? undefined : failures[code === 'late' || code === 'refused' ? code : 'failed'];
}
