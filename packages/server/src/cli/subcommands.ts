import { parseArgs } from 'node:util';
import { requireClientConfig } from './client-config.js';
import { createServiceClient, type ServiceClient } from './service-client.js';
import { UsageError } from './usage.js';

type Options = Record<string, { type: 'string' | 'boolean' }>;

/** What was given on the command line: names in order, and options by name. */
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
  run(client: ServiceClient, given: Given): Promise<void>;
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
    throw new UsageError(`Say \`colophon ${command} ${Object.keys(subcommands).join('|')}\`.`);
  }
  const options: Options = { json: { type: 'boolean' } };
  for (const option of subcommand.options ?? []) options[option] = { type: 'string' };
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  if (positionals.length !== subcommand.names.length) {
    const asked = subcommand.names.map((one) => ` <${one}>`).join('');
    throw new UsageError(`Say \`colophon ${command} ${name}${asked}\`.`);
  }
  const { json, ...texts } = values;
  const given = { names: positionals, options: texts as Given['options'], json: json === true };
  await subcommand.run(createServiceClient(requireClientConfig()), given);
}

/** The value of an option that must be given. */
export function requireOption({ options }: Given, name: string): string {
  const value = options[name];
  if (value === undefined) throw new UsageError(`Give --${name}.`);
  return value;
}

/** A whole number given as an option; undefined when it is not given. */
export function readNumber({ options }: Given, name: string): number | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  if (!/^\d{1,6}$/.test(value)) throw new UsageError(`--${name} takes a whole number.`);
  return Number(value);
}

/** A name as one segment of a path. */
export function segment({ names }: Given, index = 0): string {
  return toSegment(names[index] ?? '');
}

/** A text as one segment of a path; throws UsageError for one that would lead elsewhere. */
export function toSegment(text: string): string {
  if (/^\.{0,2}$/.test(text)) throw new UsageError(`'${text}' names nothing.`);
  return encodeURIComponent(text);
}
