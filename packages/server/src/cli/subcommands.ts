import { parseArgs } from 'node:util';
import type { ManagementClient } from '@colophon/sdk';
import { openManagement } from './open-client.js';
import { UsageError } from './usage.js';

type Options = Record<string, { type: 'string' | 'boolean' }>;

/** Arguments of the command line: names in order, and options by name. */
export interface Given {
  names: readonly string[];
  options: Readonly<Record<string, string | undefined>>;
  /** The answer as it came, instead of a table. */
  json: boolean;
}

/** One thing that a command does, such as `keys revoke <key>`. */
export interface Subcommand {
  /** How its names are called in its help: as many must be given. */
  names: readonly string[];
  options?: readonly string[];
  /** `open` asks for the management secret: what was given is read before. */
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

/** The value of an option that must be given. */
export function requireOption({ options }: Given, name: string): string {
  const value = options[name];
  if (value === undefined) throw new UsageError(`Give --${name}.`);
  return value;
}

/** A whole number given as an option; undefined when it is not given. */
export function readNumber({ options }: Given, name: string): number | undefined {
  return toNumber(name, options[name]);
}

/** The number that the text of an option is. Throws UsageError for anything but a whole number. */
export function toNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${name} takes a whole number.`);
  return Number(text);
}

/** One of the names that were given. */
export function nameAt({ names }: Given, index: number): string {
  return requireName(names[index] ?? '');
}

/** A name that can stand in an address; throws UsageError for one that would lead elsewhere. */
export function requireName(text: string): string {
  if (/^\.{0,2}$/.test(text)) throw new UsageError(`'${text}' names nothing.`);
  return text;
}

/** The one name that a command takes. */
export function requireOne(positionals: readonly string[], usage: string): string {
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0) throw new UsageError(`Run \`colophon ${usage}\`.`);
  return requireName(name);
}

/** The members that are not undefined. */
export function withoutAbsent<Members extends object>(
  members: Members,
): { [Key in keyof Members]?: Exclude<Members[Key], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Members]?: Exclude<Members[Key], undefined> };
}
