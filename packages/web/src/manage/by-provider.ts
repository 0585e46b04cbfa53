import { manage } from '../strings/manage.js';

const { failures } = manage.signIn;

/** The browser then returns to `returnTo`. */
export function openIdAddress(returnTo: string): string {
  return `/app/api/openid/begin?${new URLSearchParams({ returnTo })}`;
}

/** `search`: the query of the address. */
export function failureOf(search: string): string | undefined {
  const code = new URLSearchParams(search).get('sign-in');
  return code === null ? undefined : failures[code === 'late' || code === 'refused' ? code : 'failed'];
}
