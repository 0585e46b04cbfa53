import type { Member, MemberRequest, Org } from '@colophon/model';
import type { AuditPage } from '@colophon/sdk';
import { print, toTable } from './print.js';
import {
  nameAt,
  readNumber,
  requireOption,
  runSubcommand,
  type Subcommand,
  withoutAbsent,
} from './subcommands.js';

const list: Subcommand = {
  names: [],
  async run(open, { json }) {
    const orgs = await open().orgs.list();
    print(orgs, { json, describe: describeOrgs });
  },
};

const create: Subcommand = {
  names: ['slug'],
  options: ['name'],
  async run(open, given) {
    const name = requireOption(given, 'name');
    const org = await open().orgs.create({ slug: nameAt(given, 0), name });
    print(org, { json: given.json, describe: (made) => describeOrgs([made]) });
  },
};

const members: Subcommand = {
  names: ['slug'],
  async run(open, given) {
    const found = await open().orgs.members(nameAt(given, 0));
    print(found, { json: given.json, describe: describeMembers });
  },
};

const addMember: Subcommand = {
  names: ['slug', 'user'],
  options: ['role'],
  async run(open, given) {
    const request = withoutAbsent({ userId: nameAt(given, 1), role: given.options.role }) as MemberRequest;
    const member = await open().orgs.addMember(nameAt(given, 0), request);
    print(member, { json: given.json, describe: (added) => describeMembers([added]) });
  },
};

const removeMember: Subcommand = {
  names: ['slug', 'user'],
  async run(open, given) {
    const answer = await open().orgs.removeMember(nameAt(given, 0), nameAt(given, 1));
    print(answer, { json: given.json, describe: () => `${given.names[1]} is no longer a member.\n` });
  },
};

const audit: Subcommand = {
  names: ['slug'],
  options: ['limit'],
  async run(open, given) {
    const limit = readNumber(given, 'limit');
    const page = await open().orgs.audit(nameAt(given, 0), withoutAbsent({ limit }));
    print(page, { json: given.json, describe: describeAudit });
  },
};

const remove: Subcommand = {
  names: ['slug'],
  async run(open, given) {
    const answer = await open().orgs.delete(nameAt(given, 0));
    const text = `${given.names[0]} is deleted; its records stay, its keys stop working.\n`;
    print(answer, { json: given.json, describe: () => text });
  },
};

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
  return nextCursor === null ? table : `${table}\nThere are more entries. \`--limit\` shows up to 200.\n`;
}
