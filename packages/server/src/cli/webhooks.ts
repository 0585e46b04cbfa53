import type { Webhook, WebhookDelivery, WebhookWithSecret } from '@colophon/model';
import { print, toTable } from './print.js';
import {
  type Given,
  readNumber,
  requireOption,
  runSubcommand,
  type Subcommand,
  segment,
} from './subcommands.js';

const allOf = (given: Given) => `/projects/${segment(given)}/webhooks`;
const oneOf = (given: Given) => `${allOf(given)}/${segment(given, 1)}`;
const readEvents = ({ options }: Given) => options.events?.split(',').map((one) => one.trim());

const list: Subcommand = {
  names: ['project'],
  async run(client, given) {
    const webhooks = (await client.manage(allOf(given))) as Webhook[];
    print(webhooks, { json: given.json, describe: describeWebhooks });
  },
};

const create: Subcommand = {
  names: ['project'],
  options: ['url', 'events', 'description'],
  async run(client, given) {
    const { description } = given.options;
    const json = { url: requireOption(given, 'url'), events: readEvents(given), description };
    const made = (await client.manage(allOf(given), { json })) as WebhookWithSecret;
    print(made, { json: given.json, describe: describeSecret });
  },
};

const update: Subcommand = {
  names: ['project', 'webhook'],
  options: ['url', 'events', 'description'],
  async run(client, given) {
    const { url, description } = given.options;
    const json = { url, events: readEvents(given), description };
    const changed = (await client.manage(oneOf(given), { method: 'PATCH', json })) as Webhook;
    print(changed, { json: given.json, describe: (one) => describeWebhooks([one]) });
  },
};

/** Stops sending to a webhook, or goes on. */
const setDisabled = (disabled: boolean): Subcommand => ({
  names: ['project', 'webhook'],
  async run(client, given) {
    const changed = (await client.manage(oneOf(given), { method: 'PATCH', json: { disabled } })) as Webhook;
    print(changed, { json: given.json, describe: (one) => describeWebhooks([one]) });
  },
});

const rotate: Subcommand = {
  names: ['project', 'webhook'],
  options: ['overlap'],
  async run(client, given) {
    const json = { overlapHours: readNumber(given, 'overlap') };
    const made = (await client.manage(`${oneOf(given)}/rotate`, { json })) as WebhookWithSecret;
    print(made, { json: given.json, describe: describeSecret });
  },
};

const ping: Subcommand = {
  names: ['project', 'webhook'],
  async run(client, given) {
    const sent = (await client.manage(`${oneOf(given)}/ping`, { json: {} })) as { messageId: string };
    const told = `Message ${sent.messageId} is on its way; \`colophon webhooks deliveries\` tells what became of it.\n`;
    print(sent, { json: given.json, describe: () => told });
  },
};

const deliveries: Subcommand = {
  names: ['project', 'webhook'],
  async run(client, given) {
    const messages = (await client.manage(`${oneOf(given)}/deliveries`)) as WebhookDelivery[];
    print(messages, { json: given.json, describe: describeDeliveries });
  },
};

const remove: Subcommand = {
  names: ['project', 'webhook'],
  async run(client, given) {
    const answer = await client.manage(oneOf(given), { method: 'DELETE' });
    print(answer, { json: given.json, describe: () => 'The webhook is deleted.\n' });
  },
};

/** `colophon webhooks ...` */
export function webhooksCommand(argv: string[]): Promise<void> {
  const [disable, enable] = [setDisabled(true), setDisabled(false)];
  const subcommands = { list, create, update, rotate, ping, deliveries, disable, enable, delete: remove };
  return runSubcommand('webhooks', subcommands, argv);
}

function describeSecret({ secret, id, url, oldSecretUntil }: WebhookWithSecret): string {
  const old = oldSecretUntil === null ? '' : ` The old one signs on until ${oldSecretUntil}.`;
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
