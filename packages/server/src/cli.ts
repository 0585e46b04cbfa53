#!/usr/bin/env node
import { reportFailure } from './cli/report-failure.js';
import { describeUsage, UsageError } from './cli/usage.js';
import { readConfig } from './config.js';
import { makeFilesPrivate } from './platform/files/private-files.js';

/** Each command loads only its own modules, because most commands do not need the service. */
const COMMANDS: Record<string, (argv: string[]) => unknown> = {
  serve: async () => (await import('./cli/serve.js')).serve(readConfig()),
  init: async (argv) => (await import('./cli/init.js')).initCommand(argv),
  login: async (argv) => (await import('./cli/login.js')).loginCommand(argv),
  migrate: async () => (await import('./cli/migrate.js')).migrateCommand(),
  db: async (argv) => (await import('./cli/db.js')).dbCommand(argv),
  'supabase-sql': async () => (await import('./cli/supabase-sql.js')).supabaseSqlCommand(),
  doctor: async () => (await import('./cli/doctor.js')).doctorCommand(),
  promote: async (argv) => (await import('./cli/promote.js')).promoteCommand(argv),
  fsck: async (argv) => (await import('./cli/fsck.js')).fsckCommand(argv),
  backup: async (argv) => (await import('./cli/backup.js')).backupCommand(argv),
  restore: async (argv) => (await import('./cli/backup.js')).restoreCommand(argv),
  pin: async (argv) => (await import('./cli/pin.js')).pinCommand(argv),
  openapi: async () => (await import('./cli/openapi.js')).openapiCommand(),
  record: async (argv) => (await import('./cli/record.js')).recordCommand(argv),
  mark: async (argv) => (await import('./cli/mark.js')).markCommand(argv),
  detect: async (argv) => (await import('./cli/detect.js')).detectCommand(argv),
  bundle: async (argv) => (await import('./cli/bundle.js')).bundleCommand(argv),
  search: async (argv) => (await import('./cli/search.js')).searchCommand(argv),
  iscc: async (argv) => (await import('./cli/iscc.js')).isccCommand(argv),
  read: async (argv) => (await import('./cli/read.js')).readCommand(argv),
  shares: async (argv) => (await import('./cli/shares.js')).sharesCommand(argv),
  receipt: async (argv) => (await import('./cli/receipt.js')).receiptCommand(argv),
  report: async (argv) => (await import('./cli/report.js')).reportCommand(argv),
  log: async (argv) => (await import('./cli/log.js')).logCommand(argv),
  sign: async (argv) => (await import('./cli/sign.js')).signCommand(argv),
  verify: async (argv) => (await import('./cli/verify.js')).verifyCommand(argv),
  witness: async (argv) => (await import('./cli/witness.js')).witnessCommand(argv),
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
// A program that reads the output, such as `head`, may close the pipe early.
process.stdout.on('error', leaveQuietly);
process.stderr.on('error', leaveQuietly);
try {
  await run();
} catch (error) {
  process.exitCode = reportFailure(error, { command: name, argv });
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
