import { PASSWORD, signUp, signUpFirst } from '../support/page-user.js';
import type { Service } from '../support/service.js';

/** Users of the page: the headers of their browsers, and their invitations. */
export interface PageWorld {
  /** Headers of a user who stays signed in. */
  user: Record<string, string>;
  /** Headers of a user whom a call may sign out. */
  leaver: Record<string, string>;
  /** Headers of a page without a session. */
  nobody: Record<string, string>;
  password: string;
  /** Invitations that a call may use. */
  invitations: [string, string, string];
}

/** A placeholder for tests that do not send the calls of the page. */
export const NO_PAGE_WORLD: PageWorld = {
  user: {},
  leaver: {},
  nobody: {},
  password: '',
  invitations: ['', '', ''],
};

/** Creates the test data through the API. */
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
