#!/usr/bin/env node
import { describeMissingPart } from './cli/missing-part.js';
import { withoutControls } from './cli/print.js';
import { describeUsage, NotVerifiedError, UsageError } from './cli/usage.js';
import { ConfigError, readConfig } from './config.js';
import { makeFilesPrivate } from './private-files.js';

/** Each loads its own parts alone: most need neither the service nor its libraries. */
const COMMANDS: Record<string, (argv: string[]) => unknown> = {
  serve: async () => (await import('./cli/serve.js')).serve(readConfig()),
  migrate: async () => (await import('./cli/migrate.js')).migrateCommand(),
  'supabase-sql': async () => (await import('./cli/supabase-sql.js')).supabaseSqlCommand(),
  doctor: async () => (await import('./cli/doctor.js')).doctorCommand(),
  fsck: async (argv) => (await import('./cli/fsck.js')).fsckCommand(argv),
  backup: async (argv) => (await import('./cli/backup.js')).backupCommand(argv),
  restore: async (argv) => (await import('./cli/backup.js')).restoreCommand(argv),
  pin: async (argv) => (await import('./cli/pin.js')).pinCommand(argv),
  openapi: async () => (await import('./cli/openapi.js')).openapiCommand(),
  record: async (argv) => (await import('./cli/record.js')).recordCommand(argv),
  bundle: async (argv) => (await import('./cli/bundle.js')).bundleCommand(argv),
  verify: async (argv) => (await import('./cli/verify.js')).verifyCommand(argv),
  publish: async (argv) => (await import('./cli/publish.js')).publishCommand(argv),
  anchor: async (argv) => (await import('./cli/anchor.js')).anchorCommand(argv),
  orgs: async (argv) => (await import('./cli/orgs.js')).orgsCommand(argv),
  projects: async (argv) => (await import('./cli/projects.js')).projectsCommand(argv),
  keys: async (argv) => (await import('./cli/keys.js')).keysCommand(argv),
  webhooks: async (argv) => (await import('./cli/webhooks.js')).webhooksCommand(argv),
  mcp: async (argv) => (await import('./cli/mcp.js')).mcpCommand(argv),
  '--version': () => void process.stdout.write(`${readConfig({}).version}\n`),
};

makeFilesPrivate();
const HELP = ['--help', '-h', 'help'];
const [name = '--help', ...argv] = process.argv.slice(2);
// Whoever reads the answer may have seen enough, such as `head`.
process.stdout.on('error', leaveQuietly);
process.stderr.on('error', leaveQuietly);
try {
  await run();
} catch (error) {
  process.exitCode = report(error);
}

async function run(): Promise<void> {
  if (HELP.includes(name)) return showHelp(argv[0]);
  const command = requireCommand(name);
  if (argv.includes('--help') || argv.includes('-h')) return showHelp(name);
  await command(argv);
}

function showHelp(topic: string | undefined): void {
  if (topic !== undefined) requireCommand(topic);
  process.stdout.write(describeUsage(topic));
}

function requireCommand(called: string): (argv: string[]) => unknown {
  const command = Object.hasOwn(COMMANDS, called) ? COMMANDS[called] : undefined;
  if (command === undefined) throw new UsageError(`There is no command ${called}.`);
  return command;
}

function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

/** Tells what went wrong; gives the exit code. */
function report(error: unknown): number {
  const {
    name: kind = 'Error',
    message: said = kind,
    code,
  } = error as { name?: string; message?: string; code?: string };
  const message = describeMissingPart(error) ?? said;
  const isUsage = error instanceof UsageError || String(code).startsWith('ERR_PARSE_ARGS');
  const asJson = JSON.stringify({ error: { code: code ?? kind, message } });
  const asText = `colophon: ${withoutControls(message)}\n${isUsage ? '\nSee colophon --help.\n' : ''}`;
  process.stderr.write(argv.includes('--json') ? `${asJson}\n` : asText);
  if (error instanceof NotVerifiedError) return 3;
  return isUsage || error instanceof ConfigError ? 2 : 1;
}
