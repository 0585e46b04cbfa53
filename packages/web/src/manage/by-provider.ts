import { manage } from '../strings/manage.js';

const { failures } = manage.signIn;

/** Returns the address that starts a sign-in by the provider. The browser returns to `returnTo` afterwards. */
export function openIdAddress(returnTo: string): string {
  return `/app/api/openid/begin?${new URLSearchParams({ returnTo })}`;
}

/** Returns the error of a sign-in by the provider, from the query of the address. */
export function failureOf(search: string): string | undefined {
  const code = new URLSearchParams(search).get('sign-in');
  return code === null ? undefined : failures[code === 'late' || code === 'refused' ? code : 'failed'];
}
