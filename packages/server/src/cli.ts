#!/usr/bin/env node
import { doctorCommand } from './cli/doctor.js';
import { keysCommand } from './cli/keys.js';
import { migrateCommand } from './cli/migrate.js';
import { openapiCommand } from './cli/openapi.js';
import { serve } from './cli/serve.js';
import { USAGE, UsageError } from './cli/usage.js';
import { ConfigError, readConfig } from './config.js';

const COMMANDS: Record<string, (argv: string[]) => unknown> = {
  serve: () => serve(readConfig()),
  migrate: migrateCommand,
  keys: keysCommand,
  doctor: doctorCommand,
  openapi: openapiCommand,
  '--help': () => void process.stdout.write(USAGE),
  '--version': () => void process.stdout.write(`${readConfig({}).version}\n`),
};

const [name = '--help', ...argv] = process.argv.slice(2);
try {
  const command = argv.includes('--help') ? COMMANDS['--help'] : COMMANDS[name];
  if (command === undefined) throw new UsageError(`There is no command ${name}.`);
  await command(argv);
} catch (error) {
  process.exitCode = report(error);
}

/** Tells what went wrong; gives the exit code. */
function report(error: unknown): number {
  const { name: kind, message, code } = error as { name?: string; message?: string; code?: string };
  const usage = error instanceof UsageError || String(code).startsWith('ERR_PARSE_ARGS');
  process.stderr.write(`colophon: ${message ?? kind}\n${usage ? '\nSee colophon --help.\n' : ''}`);
  return usage || error instanceof ConfigError ? 2 : 1;
}
