import type { Webhook, WebhookDelivery, WebhookRequest, WebhookWithSecret } from '@colophon/model';
import { print, toTable } from './print.js';
import {
  type Given,
  nameAt,
  readNumber,
  requireOption,
  runSubcommand,
  type Subcommand,
  withoutAbsent,
} from './subcommands.js';

const readEvents = ({ options }: Given) =>
  options.events?.split(',').map((one) => one.trim()) as WebhookRequest['events'];

const list: Subcommand = {
  names: ['project'],
  async run(open, given) {
    const webhooks = await open().webhooks.list(nameAt(given, 0));
    print(webhooks, { json: given.json, describe: describeWebhooks });
  },
};

const create: Subcommand = {
  names: ['project'],
  options: ['url', 'events', 'description'],
  async run(open, given) {
    const { description } = given.options;
    const webhook = withoutAbsent({ events: readEvents(given), description });
    const made = await open().webhooks.create(nameAt(given, 0), {
      url: requireOption(given, 'url'),
      ...webhook,
    });
    print(made, { json: given.json, describe: describeSecret });
  },
};

const update: Subcommand = {
  names: ['project', 'webhook'],
  options: ['url', 'events', 'description'],
  async run(open, given) {
    const { url, description } = given.options;
    const patch = withoutAbsent({ url, events: readEvents(given), description });
    const changed = await open().webhooks.update(nameAt(given, 0), nameAt(given, 1), patch);
    print(changed, { json: given.json, describe: (one) => describeWebhooks([one]) });
  },
};

const setDisabled = (disabled: boolean): Subcommand => ({
  names: ['project', 'webhook'],
  async run(open, given) {
    const changed = await open().webhooks.update(nameAt(given, 0), nameAt(given, 1), { disabled });
    print(changed, { json: given.json, describe: (one) => describeWebhooks([one]) });
  },
});

const rotate: Subcommand = {
  names: ['project', 'webhook'],
  options: ['overlap'],
  async run(open, given) {
    const overlapHours = readNumber(given, 'overlap');
    const made = await open().webhooks.rotate(
      nameAt(given, 0),
      nameAt(given, 1),
      withoutAbsent({ overlapHours }),
    );
    print(made, { json: given.json, describe: describeSecret });
  },
};

const ping: Subcommand = {
  names: ['project', 'webhook'],
  async run(open, given) {
    const sent = await open().webhooks.ping(nameAt(given, 0), nameAt(given, 1));
    const text = `Event ${sent.messageId} is queued; \`colophon webhooks deliveries\` shows the result.\n`;
    print(sent, { json: given.json, describe: () => text });
  },
};

const deliveries: Subcommand = {
  names: ['project', 'webhook'],
  async run(open, given) {
    const messages = await open().webhooks.deliveries(nameAt(given, 0), nameAt(given, 1));
    print(messages, { json: given.json, describe: describeDeliveries });
  },
};

const remove: Subcommand = {
  names: ['project', 'webhook'],
  async run(open, given) {
    const answer = await open().webhooks.delete(nameAt(given, 0), nameAt(given, 1));
    print(answer, { json: given.json, describe: () => 'The webhook is deleted.\n' });
  },
};

export function webhooksCommand(argv: string[]): Promise<void> {
  const [disable, enable] = [setDisabled(true), setDisabled(false)];
  const subcommands = { list, create, update, rotate, ping, deliveries, disable, enable, delete: remove };
  return runSubcommand('webhooks', subcommands, argv);
}

function describeSecret({ secret, id, url, oldSecretUntil }: WebhookWithSecret): string {
  const old = oldSecretUntil === null ? '' : ` The old secret also signs until ${oldSecretUntil}.`;
  return `${secret}

Shown only now. Id: ${id}, address: ${url}.${old}
`;
}

function describeWebhooks(webhooks: Webhook[]): string {
  return toTable(webhooks, [
    { head: 'ID', of: ({ id }) => id },
    { head: 'ADDRESS', of: ({ url }) => url },
    { head: 'EVENTS', of: ({ events }) => events.join(', ') },
    { head: 'DISABLED', of: ({ disabledReason }) => disabledReason },
    { head: 'MISSED', of: ({ missed }) => missed && `${missed.events} since ${missed.since}` },
  ]);
}

function describeDeliveries(messages: WebhookDelivery[]): string {
  return toTable(messages, [
    { head: 'ID', of: ({ id }) => id },
    { head: 'EVENT', of: ({ event }) => event },
    { head: 'STATE', of: ({ state }) => state },
    { head: 'ATTEMPTS', of: ({ attempts }) => attempts },
    { head: 'STATUS', of: ({ status }) => status },
    { head: 'ERROR', of: ({ error }) => error },
    { head: 'MADE', of: ({ createdAt }) => createdAt },
  ]);
}
