import { parseArgs } from 'node:util';
import { PERMISSIONS, type Permission } from '@colophon/model';
import { createNamedProjectKey } from '../access/create-key.js';
import { readConfig } from '../config.js';
import { openDatabases } from '../db/open-databases.js';
import { UsageError } from './usage.js';

/** `colophon keys create`: makes a project key and prints it, once. */
export async function keysCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      project: { type: 'string', default: 'default' },
      name: { type: 'string', default: 'unnamed' },
      permission: { type: 'string', default: 'write' },
      json: { type: 'boolean', default: false },
    },
  });
  if (positionals.join(' ') !== 'create') throw new UsageError('Say `colophon keys create [options]`.');
  const terms = {
    projectName: requireName('--project', values.project),
    name: requireName('--name', values.name),
    permission: requirePermission(values.permission),
  };
  const { store } = readConfig();
  if (store.kind === 'memory') {
    throw new UsageError('A key made now would be gone at once: set DATABASE_URL or DATA_DIR first.');
  }
  const databases = await openDatabases(store);
  const { key, row } = await createNamedProjectKey(databases.control, terms).finally(() => databases.close());
  const { id, prefix, name, permission, projectId } = row;
  const created = { id, key, prefix, name, permission, projectId };
  process.stdout.write(
    values.json ? `${JSON.stringify(created, null, 2)}\n` : describe(created, terms.projectName),
  );
}

function describe(
  created: { key: string; permission: string; projectId: string },
  projectName: string,
): string {
  return `${created.key}

Shown only now. Project: ${projectName} (${created.projectId}), permission: ${created.permission}.
`;
}

function requireName(option: string, text: string): string {
  if (/^[\w .-]{1,64}$/.test(text)) return text;
  throw new UsageError(`${option} takes 1 to 64 letters, digits, blanks, dots, underscores or hyphens.`);
}

function requirePermission(text: string): Permission {
  const permission = PERMISSIONS.find((one) => one === text);
  if (permission === undefined) throw new UsageError(`--permission is one of ${PERMISSIONS.join(', ')}.`);
  return permission;
}
