import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

type LoginEnvironment = Readonly<Record<string, string | undefined>>;

const loginSchema = z.object({ url: z.string(), apiKey: z.string() });
export type Login = z.infer<typeof loginSchema>;

/** XDG Base Directory Specification. Undefined if neither XDG_CONFIG_HOME nor a home directory is set. */
export function loginFile({ XDG_CONFIG_HOME, HOME, USERPROFILE }: LoginEnvironment): string | undefined {
  const home = HOME || USERPROFILE;
  const folder = XDG_CONFIG_HOME || (home ? path.join(home, '.config') : undefined);
  return folder === undefined ? undefined : path.join(folder, 'colophon', 'login.json');
}

/** Returns undefined when no login is stored. Throws when the file does not contain a login. */
export function readLogin(environment: LoginEnvironment): Login | undefined {
  const file = loginFile(environment);
  if (file === undefined) return undefined;
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  try {
    return loginSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} is not a login. Remove it, or run \`colophon login\` again.`, { cause: error });
  }
}
