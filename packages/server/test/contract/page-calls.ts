import type { Call } from './calls.js';
import type { PageWorld } from './page-world.js';

const NO_INVITATION = 'A'.repeat(43);

export function pageCalls({
  user,
  leaver,
  nobody,
  password,
  invitations,
}: PageWorld): Record<string, Call[]> {
  const [forAccount = '', forMember = '', forMemberAgain = ''] = invitations;
  const session = '/app/api/session';
  const accounts = '/app/api/accounts';
  const memberships = '/app/api/memberships';
  const passwords = '/app/api/password';
  const checks = '/app/api/invitation-checks';
  const account = { invitation: forAccount, name: 'new@example.org', password };
  const newPassword = `${password} again`;
  return {
    'GET /app/api/session': [
      { status: 200, target: session },
      { status: 200, target: session, headers: user },
      { status: 200, target: session, headers: { cookie: 'colophon_session=nonsense' } },
      { status: 406, target: session, headers: { accept: 'text/html' } },
    ],
    'POST /app/api/session': [
      { status: 201, target: session, headers: nobody, json: { name: 'Owner', password } },
      { status: 401, target: session, headers: nobody, json: { name: 'owner', password: 'wrong' } },
      { status: 403, target: session, json: { name: 'owner', password } },
      ...faultyBodies(session, nobody),
    ],
    'POST /app/api/accounts': [
      { status: 404, target: accounts, headers: nobody, json: { ...account, invitation: NO_INVITATION } },
      { status: 409, target: accounts, headers: nobody, json: { ...account, name: 'owner' } },
      { status: 201, target: accounts, headers: nobody, json: account },
      { status: 403, target: accounts, json: account },
      ...faultyBodies(accounts, nobody),
    ],
    'POST /app/api/invitation-checks': [
      { status: 200, target: checks, headers: nobody, json: { invitation: forMember } },
      { status: 200, target: checks, headers: nobody, json: { invitation: NO_INVITATION } },
      { status: 403, target: checks, json: { invitation: forMember } },
      ...faultyBodies(checks, nobody),
    ],
    'POST /app/api/memberships': [
      { status: 404, target: memberships, headers: leaver, json: { invitation: NO_INVITATION } },
      { status: 201, target: memberships, headers: leaver, json: { invitation: forMember } },
      { status: 409, target: memberships, headers: leaver, json: { invitation: forMemberAgain } },
      ...faultyBodies(memberships, user),
      ...commonErrors(memberships, user, {}),
    ],
    'PUT /app/api/password': [
      { status: 403, target: passwords, headers: user, json: { currentPassword: 'wrong', newPassword } },
      { status: 200, target: passwords, headers: user, json: { currentPassword: password, newPassword } },
      ...faultyBodies(passwords, user),
      ...commonErrors(passwords, user, {}),
    ],
    'DELETE /app/api/session': [
      ...commonErrors(session, leaver),
      { status: 200, target: session, headers: leaver },
      { status: 401, target: session, headers: leaver },
    ],
  };
}

function faultyBodies(target: string, headers: Record<string, string>): Call[] {
  return [
    { status: 400, target, text: '{', headers },
    { status: 422, target, json: { nosuch: 1 }, headers },
    { status: 413, target, json: 'x'.repeat(2 ** 20), headers },
    { status: 415, target, text: 'a,b', headers: { ...headers, 'content-type': 'text/csv' } },
    { status: 406, target, json: {}, headers: { ...headers, accept: 'text/html' } },
  ];
}

function commonErrors(target: string, headers: Record<string, string>, json?: object): Call[] {
  const { origin = '', cookie = '' } = headers;
  const body = json === undefined ? {} : { json };
  return [
    { status: 401, target, headers: { origin }, ...body },
    { status: 403, target, headers: { origin, cookie }, ...body },
    { status: 406, target, headers: { ...headers, accept: 'text/html' }, ...body },
  ];
}
