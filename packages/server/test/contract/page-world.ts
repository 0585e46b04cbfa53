import { PASSWORD, signUp, signUpFirst } from '../support/page-user.js';
import type { Service } from '../support/service.js';

export interface PageWorld {
  user: Record<string, string>;
  /** A call may sign this user out. */
  leaver: Record<string, string>;
  nobody: Record<string, string>;
  password: string;
  invitations: [string, string, string];
}

export const NO_PAGE_WORLD: PageWorld = {
  user: {},
  leaver: {},
  nobody: {},
  password: '',
  invitations: ['', '', ''],
};

export async function makePageWorld(service: Service): Promise<PageWorld> {
  const owner = await signUpFirst(service, 'owner');
  const invite = async () => {
    const made = await owner.ask('/management/orgs/local/invitations', { body: { role: 'viewer' } });
    return (await made.json()).invitation as string;
  };
  await owner.ask('/management/orgs', { body: { name: 'Pages', slug: 'pages' } });
  const made = await owner.ask('/management/orgs/pages/invitations', { body: {} });
  const leaver = await signUp(service, { name: 'leaver', invitation: (await made.json()).invitation });
  const origin = service.config.publicUrl ?? service.base;
  return {
    user: { ...owner.headers, origin },
    leaver: { ...leaver.headers, origin },
    nobody: { origin },
    password: PASSWORD,
    invitations: [await invite(), await invite(), await invite()],
  };
}
