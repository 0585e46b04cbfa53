#!/usr/bin/env node
import { bundleCommand } from './cli/bundle.js';
import { doctorCommand } from './cli/doctor.js';
import { fsckCommand } from './cli/fsck.js';
import { keysCommand } from './cli/keys.js';
import { migrateCommand } from './cli/migrate.js';
import { openapiCommand } from './cli/openapi.js';
import { orgsCommand } from './cli/orgs.js';
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
  openapi: openapiCommand,
  record: recordCommand,
  bundle: bundleCommand,
  verify: verifyCommand,
  orgs: orgsCommand,
  projects: projectsCommand,
  keys: keysCommand,
  '--version': () => void process.stdout.write(`${readConfig({}).version}\n`),
};

const [name = '--help', ...argv] = process.argv.slice(2);
try {
  if (name === '--help' || argv.includes('--help')) process.stdout.write(describeUsage(name));
  else await runCommand();
} catch (error) {
  process.exitCode = report(error);
}

async function runCommand(): Promise<void> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageError(`There is no command ${name}.`);
  await command(argv);
}

/** Tells what went wrong; gives the exit code. */
function report(error: unknown): number {
  const { name: kind, message, code } = error as { name?: string; message?: string; code?: string };
  const usage = error instanceof UsageError || String(code).startsWith('ERR_PARSE_ARGS');
  process.stderr.write(`colophon: ${message ?? kind}\n${usage ? '\nSee colophon --help.\n' : ''}`);
  if (error instanceof NotVerifiedError) return 3;
  return usage || error instanceof ConfigError ? 2 : 1;
}
