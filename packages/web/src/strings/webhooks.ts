import { counter } from '../languages/counter.js';
import { textsOf } from '../languages/texts.js';

const events = counter('en', { one: 'event', other: 'events' });

export const webhooks = textsOf('webhooks', {
  title: 'Webhooks',
  forRole: 'Developers and above see the webhooks of a project.',
  why: 'The service sends the events of this project to an address of yours.',
  none: 'There are no webhooks yet.',
  url: 'Address',
  urlHint: 'An https address of the public internet.',
  events: 'Events',
  names: {
    'action.recorded': 'Actions were recorded',
    'action.anchored': 'Actions were anchored on the chain',
    'audit.mismatch': 'The integrity check found a difference',
    ping: 'Test',
  } as Readonly<Record<string, string>>,
  state: 'State',
  states: {
    enabled: 'Enabled',
    asked: 'Disabled',
    gone: 'Disabled: the address responded with 410',
    failing: 'Disabled: all attempts of a delivery failed',
  },
  missed: (count: number) => `${events(count)} missed`,
  make: 'New webhook',
  create: 'Create the webhook',
  noEvent: 'Choose at least one event.',
  created: 'Your new webhook',
  shownOnce:
    'Copy the secret now. Your receiver verifies the requests with it. The page cannot show it again.',
  secret: 'Secret',
  done: 'I have copied it',
  test: 'Test',
  testOf: (url: string) => `Send a test to ${url}`,
  tested: 'The test is sent. See the deliveries.',
  deliveries: 'Deliveries',
  deliveriesOf: (url: string) => `Deliveries to ${url}`,
  noDeliveries: 'Nothing was sent in the last 7 days.',
  remove: 'Delete',
  removeOf: (url: string) => `Delete the webhook to ${url}`,
  removeTitle: 'Delete a webhook',
  removeHelp: (url: string) => `The service sends no further events to ${url}. This cannot be undone.`,
  when: 'When',
  event: 'Event',
  result: 'Result',
  attempts: 'Attempts',
  results: { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' },
});
