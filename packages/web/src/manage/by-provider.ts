import { manage } from '../strings/manage.js';

const { failures } = manage.signIn;

/** The address where a sign-in by the provider starts; it returns to this path. */
export function openIdAddress(returnTo: string): string {
  return `/app/api/openid/begin?${new URLSearchParams({ returnTo })}`;
}

/** The error that the provider returned with the redirect. */
export function failureOf(search: string): string | undefined {
  const code = new URLSearchParams(search).get('sign-in');
  return code === null ? undefined : failures[code === 'late' || code === 'refused' ? code : 'failed'];
}
