import { parseArgs } from 'node:util';
import type { ManagementClient } from '@colophon/sdk';
import { openManagement } from './open-client.js';
import { UsageError } from './usage.js';

type Options = Record<string, { type: 'string' | 'boolean' }>;

/** Arguments of the command line: names in order, and options by name. */
export interface Given {
  names: readonly string[];
  options: Readonly<Record<string, string | undefined>>;
  /** Whether to print the answer as JSON instead of a table. */
  json: boolean;
}

/** A subcommand, such as `keys revoke <key>`. */
export interface Subcommand {
  /** The arguments as the help shows them. Each is required. */
  names: readonly string[];
  options?: readonly string[];
  /** `open` requires the management secret, so it is called after the arguments are read. */
  run(open: () => ManagementClient, given: Given): Promise<void>;
}

/** Runs the subcommand that the first argument names. */
export async function runSubcommand(
  command: string,
  subcommands: Readonly<Record<string, Subcommand>>,
  argv: readonly string[],
): Promise<void> {
  const [name = '', ...args] = argv;
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (subcommand === undefined) {
    throw new UsageError(`Run \`colophon ${command} ${Object.keys(subcommands).join('|')}\`.`);
  }
  const options: Options = { json: { type: 'boolean' } };
  for (const option of subcommand.options ?? []) options[option] = { type: 'string' };
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  if (positionals.length !== subcommand.names.length) {
    const asked = subcommand.names.map((one) => ` <${one}>`).join('');
    throw new UsageError(`Run \`colophon ${command} ${name}${asked}\`.`);
  }
  const { json, ...texts } = values;
  const given = { names: positionals, options: texts as Given['options'], json: json === true };
  await subcommand.run(() => openManagement(), given);
}

export function requireOption({ options }: Given, name: string): string {
  const value = options[name];
  if (value === undefined) throw new UsageError(`Give --${name}.`);
  return value;
}

/** Returns a whole number from an option; undefined without the option. */
export function readNumber({ options }: Given, name: string): number | undefined {
  return toNumber(name, options[name]);
}

/** Parses the whole number of an option. Throws UsageError for another text. */
export function toNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${name} takes a whole number.`);
  return Number(text);
}

/** Returns the argument at this position. */
export function nameAt({ names }: Given, index: number): string {
  return requireName(names[index] ?? '');
}

/** Returns a name that is safe in a URL path. Throws UsageError for other names. */
export function requireName(text: string): string {
  if (/^\.{0,2}$/.test(text)) throw new UsageError(`'${text}' names nothing.`);
  return text;
}

/** Returns the single argument of a command. */
export function requireOne(positionals: readonly string[], usage: string): string {
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0) throw new UsageError(`Run \`colophon ${usage}\`.`);
  return requireName(name);
}

/** Returns the members that are not undefined. */
export function withoutAbsent<Members extends object>(
  members: Members,
): { [Key in keyof Members]?: Exclude<Members[Key], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Members]?: Exclude<Members[Key], undefined> };
}
