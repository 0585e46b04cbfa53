import type { ApiKey, ApiKeyRequest, CreatedApiKey } from '@colophon/model';
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
  names: ['project'],
  async run(open, given) {
    const keys = await open().apiKeys.list(nameAt(given, 0));
    print(keys, { json: given.json, describe: describeKeys });
  },
};

const create: Subcommand = {
  names: ['project'],
  options: ['name', 'permission', 'entity', 'days'],
  async run(open, given) {
    const request = {
      projectId: nameAt(given, 0),
      name: requireOption(given, 'name'),
      permissions: given.options.permission,
      entityId: given.options.entity,
      expiresInDays: readNumber(given, 'days'),
    };
    const key = await open().apiKeys.create(withoutAbsent(request) as ApiKeyRequest);
    print(key, { json: given.json, describe: describeCreated });
  },
};

const rotate: Subcommand = {
  names: ['key'],
  options: ['overlap'],
  async run(open, given) {
    const overlapHours = readNumber(given, 'overlap');
    const key = await open().apiKeys.rotate(nameAt(given, 0), withoutAbsent({ overlapHours }));
    print(key, { json: given.json, describe: describeCreated });
  },
};

const revoke: Subcommand = {
  names: ['key'],
  async run(open, given) {
    const answer = await open().apiKeys.revoke(nameAt(given, 0));
    print(answer, { json: given.json, describe: () => 'The key is revoked.\n' });
  },
};

export function keysCommand(argv: string[]): Promise<void> {
  return runSubcommand('keys', { list, create, rotate, revoke }, argv);
}

function describeCreated({ key, id, permissions, allows, entityId, expiresAt }: CreatedApiKey): string {
  return `${key}

${allows}
Shown only now. Id: ${id}, permission: ${permissions}, for: ${entityId ?? 'any entity'}, expires: ${expiresAt ?? 'never'}.
`;
}

function describeKeys(keys: ApiKey[]): string {
  return toTable(keys, [
    { head: 'ID', of: ({ id }) => id },
    { head: 'KEY', of: ({ prefix }) => `${prefix}...` },
    { head: 'NAME', of: ({ name }) => name },
    { head: 'MAY', of: ({ permissions }) => permissions },
    { head: 'FOR', of: ({ entityId }) => entityId },
    { head: 'LAST USED', of: ({ lastUsedAt }) => lastUsedAt },
    { head: 'EXPIRES', of: ({ expiresAt }) => expiresAt },
    { head: 'REVOKED', of: ({ revokedAt }) => revokedAt },
  ]);
}
