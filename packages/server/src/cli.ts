#!/usr/bin/env node
import { anchorCommand } from './cli/anchor.js';
import { bundleCommand } from './cli/bundle.js';
import { doctorCommand } from './cli/doctor.js';
import { fsckCommand } from './cli/fsck.js';
import { keysCommand } from './cli/keys.js';
import { migrateCommand } from './cli/migrate.js';
import { openapiCommand } from './cli/openapi.js';
import { orgsCommand } from './cli/orgs.js';
import { pinCommand } from './cli/pin.js';
import { withoutControls } from './cli/print.js';
import { projectsCommand } from './cli/projects.js';
import { recordCommand } from './cli/record.js';
import { serve } from './cli/serve.js';
import { describeUsage, NotVerifiedError, UsageError } from './cli/usage.js';
import { verifyCommand } from './cli/verify.js';
import { ConfigError, readConfig } from './config.js';

const COMMANDS: Record<string, (argv: string[]) => unknown> = {
  serve: () => serve(readConfig()),
  migrate: migrateCommand,
  doctor: doctorCommand,
  fsck: fsckCommand,
  pin: pinCommand,
  openapi: openapiCommand,
  record: recordCommand,
  bundle: bundleCommand,
  verify: verifyCommand,
  anchor: anchorCommand,
  orgs: orgsCommand,
  projects: projectsCommand,
  keys: keysCommand,
  // Its packages are large: they are loaded for it alone.
  mcp: async (argv) => (await import('./cli/mcp.js')).mcpCommand(argv),
  '--version': () => void process.stdout.write(`${readConfig({}).version}\n`),
};

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
    message = kind,
    code,
  } = error as { name?: string; message?: string; code?: string };
  const isUsage = error instanceof UsageError || String(code).startsWith('ERR_PARSE_ARGS');
  const asJson = JSON.stringify({ error: { code: code ?? kind, message } });
  const asText = `colophon: ${withoutControls(message)}\n${isUsage ? '\nSee colophon --help.\n' : ''}`;
  process.stderr.write(argv.includes('--json') ? `${asJson}\n` : asText);
  if (error instanceof NotVerifiedError) return 3;
  return isUsage || error instanceof ConfigError ? 2 : 1;
}
