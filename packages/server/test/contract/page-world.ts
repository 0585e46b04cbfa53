import { PASSWORD, signUp, signUpFirst } from '../support/page-user.js';
import type { Service } from '../support/service.js';

/** Users of the page: what their browsers send, and what they were given. */
export interface PageWorld {
  /** Of a user who stays signed in, and of one who may be signed out. */
  user: Record<string, string>;
  leaver: Record<string, string>;
  /** Of a page that nobody has signed in on. */
  nobody: Record<string, string>;
  /** The user's; so is the leaver's. */
  password: string;
  /** Invitations that may be used. */
  invitations: [string, string, string];
}

/** In place of one where calls are counted, not sent. */
export const NO_PAGE_WORLD: PageWorld = {
  user: {},
  leaver: {},
  nobody: {},
  password: '',
  invitations: ['', '', ''],
};

/** Makes the world through the API itself. */
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
