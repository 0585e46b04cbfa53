import type { AuditEntry, Member, Org } from '@colophon/model';
import { print, toTable } from './print.js';
import { readNumber, requireOption, runSubcommand, type Subcommand, segment } from './subcommands.js';

const list: Subcommand = {
  names: [],
  async run(client, { json }) {
    const orgs = (await client.manage('/orgs')) as Org[];
    print(orgs, { json, describe: describeOrgs });
  },
};

const create: Subcommand = {
  names: ['slug'],
  options: ['name'],
  async run(client, given) {
    const body = { slug: given.names[0], name: requireOption(given, 'name') };
    const org = (await client.manage('/orgs', { json: body })) as Org;
    print(org, { json: given.json, describe: (made) => describeOrgs([made]) });
  },
};

const members: Subcommand = {
  names: ['slug'],
  async run(client, given) {
    const found = (await client.manage(`/orgs/${segment(given)}/members`)) as Member[];
    print(found, { json: given.json, describe: describeMembers });
  },
};

const addMember: Subcommand = {
  names: ['slug', 'user'],
  options: ['role'],
  async run(client, given) {
    const json = { userId: given.names[1], role: given.options.role };
    const member = (await client.manage(`/orgs/${segment(given)}/members`, { json })) as Member;
    print(member, { json: given.json, describe: (added) => describeMembers([added]) });
  },
};

const removeMember: Subcommand = {
  names: ['slug', 'user'],
  async run(client, given) {
    const path = `/orgs/${segment(given)}/members/${segment(given, 1)}`;
    const answer = await client.manage(path, { method: 'DELETE' });
    print(answer, { json: given.json, describe: () => `${given.names[1]} is no member any more.\n` });
  },
};

interface AuditPage {
  entries: AuditEntry[];
  nextCursor: string | null;
}

const audit: Subcommand = {
  names: ['slug'],
  options: ['limit'],
  async run(client, given) {
    const limit = readNumber(given, 'limit');
    const query = limit === undefined ? '' : `?limit=${limit}`;
    const page = (await client.manage(`/orgs/${segment(given)}/audit${query}`)) as AuditPage;
    print(page, { json: given.json, describe: describeAudit });
  },
};

const remove: Subcommand = {
  names: ['slug'],
  async run(client, given) {
    const answer = await client.manage(`/orgs/${segment(given)}`, { method: 'DELETE' });
    const told = `${given.names[0]} is deleted; its records stay, its keys open nothing.\n`;
    print(answer, { json: given.json, describe: () => told });
  },
};

/** `colophon orgs ...` */
export function orgsCommand(argv: string[]): Promise<void> {
  const subcommands = {
    list,
    create,
    members,
    'add-member': addMember,
    'remove-member': removeMember,
    audit,
    delete: remove,
  };
  return runSubcommand('orgs', subcommands, argv);
}

function describeOrgs(orgs: Org[]): string {
  return toTable(orgs, [
    { head: 'SLUG', of: ({ slug }) => slug },
    { head: 'NAME', of: ({ name }) => name },
    { head: 'ROLE', of: ({ role }) => role },
    { head: 'CREATED', of: ({ createdAt }) => createdAt },
  ]);
}

function describeMembers(members: Member[]): string {
  return toTable(members, [
    { head: 'USER', of: ({ userId }) => userId },
    { head: 'ROLE', of: ({ role }) => role },
    { head: 'NAME', of: ({ name }) => name },
    { head: 'SINCE', of: ({ createdAt }) => createdAt },
  ]);
}

function describeAudit({ entries, nextCursor }: AuditPage): string {
  const table = toTable(entries, [
    { head: 'WHEN', of: ({ at }) => at },
    { head: 'WHO', of: ({ userId }) => userId },
    { head: 'WHAT', of: ({ action }) => action },
    { head: 'TARGET', of: ({ target }) => target },
    { head: 'FROM', of: ({ address }) => address },
  ]);
  return nextCursor === null ? table : `${table}\nThere are more: raise --limit (at most 200).\n`;
}
