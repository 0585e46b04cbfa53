import { textsOf } from '../languages/texts.js';

export const shell = textsOf('shell', {
  name: 'Colophon',
  claim: 'Where files come from',
  skip: 'Skip to the content',
  navigation: 'Parts of the page',
  reference: 'API reference',
  loading: 'Loading …',
  notFound: 'There is no such page',
  toStart: 'Go to the start page',
  failed: 'This part of the page stopped working.',
  reload: 'Reload the page',
  theme: { label: 'Appearance', auto: 'Same as the device', light: 'Light', dark: 'Dark' },
  language: {
    label: 'Language',
    notReviewed: 'This translation is machine-made and not reviewed.',
    missing: (name: string) => `${name} could not be loaded. Reload the page to try again.`,
  },
  account: {
    label: (user: string) => `Account of ${user}`,
    open: 'Your account',
    signOut: 'Sign out',
  },
  projects: {
    title: 'Project',
    choose: 'Choose a project',
    inUse: (name: string) => `Project: ${name}`,
    needed: 'Open a project',
    signIn: 'Sign in',
    signInOrKey: 'Sign in or enter a project key',
    signInWhy: 'Sign in to open the projects of your organisations. You need no key.',
    signedIn: (user: string) => `You are signed in as ${user}.`,
    role: (org: string, role: string) => `${org} (your role: ${role})`,
    none: 'This organisation has no projects yet.',
    noOrg: 'You are not a member of an organisation yet.',
    manage: 'Create a project under Manage',
    inUseNow: 'in use',
    byKey: 'Use a project key instead',
    keyKept: (shown: string) => `This tab stores the project key ${shown}.`,
    keyInUse: (shown: string) => `This tab uses the project key ${shown}.`,
    useKey: 'Use this project key',
  },
  key: {
    why: 'A key opens its project without an account. In development, the service prints a key when it starts.',
    label: 'Project key',
    hint: 'This tab stores it until you close the tab, and sends it to this service only.',
    use: 'Use this key',
    trying: 'Trying the key …',
    empty: 'Paste the key here; it begins with pk_live_ unless you chose your own.',
    unknown: 'The service does not know this key: it may be mistyped, expired or revoked.',
    stale: 'The service rejects the project key. Forget it above, and enter another.',
    enter: 'Enter a project key',
    inUse: (shown: string) => `Project key ${shown}`,
    forget: 'Forget this key',
  },
  content: {
    absent:
      'This content is not recorded in your project. If another of your projects has it, choose that project above.',
    malformed:
      'The address of this page has no valid content id. A content id begins with baf, Qm or sha256:.',
  },
  noAnswer: {
    unreachable: 'The service cannot be reached. Is it running, and are you online?',
    late: 'The service took too long to answer. Please try again.',
    foreign: 'The answer came from another server between this page and the service.',
  },
  localOnly:
    'This address works only on this computer. To share it, the operator must set PUBLIC_URL. Then open this page at that address.',
  unknownError: 'Something went wrong.',
  menu: 'Menu',
  unloaded: {
    title: 'This part of the page could not be loaded.',
    why: 'The service cannot be reached, or you are offline. The page tries again when you are online.',
    again: 'Try again',
  },
  ended: {
    title: 'Your session has ended',
    why: 'Sign in to continue. Your input on this page stays.',
  },
  offered: {
    title: 'Use the key of this link?',
    why: (shown: string) =>
      `The link has the project key ${shown}. With this key, you read and record in the project of the key, and not in your own project. Use only keys from people that you trust.`,
    keep: 'Stay in my project',
    use: 'Use the key',
  },
});
