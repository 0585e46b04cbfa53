import { manage } from '../strings/manage.js';

const { failures } = manage.signIn;

/** Returns the address that starts a sign-in at the OpenID provider. The browser then returns to `returnTo`. */
export function openIdAddress(returnTo: string): string {
  return `/app/api/openid/begin?${new URLSearchParams({ returnTo })}`;
}

/** Returns the error of a failed sign-in at the provider. `search` is the query of the address. */
export function failureOf(search: string): string | undefined {
  const code = new URLSearchParams(search).get('sign-in');
  return code === null ? undefined : failures[code === 'late' || code === 'refused' ? code : 'failed'];
}
