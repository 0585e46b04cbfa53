import { parseArgs } from 'node:util';
import type { ManagementClient } from '@colophon/sdk';
import { openManagement } from './open-client.js';
import { UsageError } from './usage.js';

type Options = Record<string, { type: 'string' | 'boolean' }>;

export interface Given {
  names: readonly string[];
  options: Readonly<Record<string, string | undefined>>;
  json: boolean;
}

/** A subcommand, such as `keys revoke <key>`. */
export interface Subcommand {
  /** Names of the required arguments, as the help shows them. */
  names: readonly string[];
  options?: readonly string[];
  /** `open` throws without the management secret, so `run` checks the arguments first. */
  run(open: () => ManagementClient, given: Given): Promise<void>;
}

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

export function readNumber({ options }: Given, name: string): number | undefined {
  return toNumber(name, options[name]);
}

export function toNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${name} takes a whole number.`);
  return Number(text);
}

export function nameAt({ names }: Given, index: number): string {
  return requireName(names[index] ?? '');
}

/** Throws UsageError for an empty name, `.` and `..`, because each of them changes a URL path. */
export function requireName(text: string): string {
  if (/^\.{0,2}$/.test(text)) throw new UsageError(`'${text}' is not a valid name or id.`);
  return text;
}

export function requireOne(positionals: readonly string[], usage: string): string {
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0) throw new UsageError(`Run \`colophon ${usage}\`.`);
  return requireName(name);
}

export function withoutAbsent<Members extends object>(
  members: Members,
): { [Key in keyof Members]?: Exclude<Members[Key], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Members]?: Exclude<Members[Key], undefined> };
}
