import * as z from 'zod';
import { lenientText } from './lenient-fields.js';
import { present } from './present.js';

/** The member of a software agent with the provider of the AI model. This service writes it. */
export const PROVIDER_MEMBER = 'org.colophon.provider';

export interface Tool {
  readonly name: string;
  readonly version?: string;
  /** The value of `PROVIDER_MEMBER`. */
  readonly provider?: string;
}

const rawTool = z.object({
  name: lenientText(256),
  version: lenientText(128),
  [PROVIDER_MEMBER]: lenientText(256),
});

/** Reads a user agent text (claim version 1) or `{name, version?}` (claim version 2). */
export function readTool(json: unknown): Tool | undefined {
  if (typeof json === 'string') return readTool({ name: json });
  const { name, version, [PROVIDER_MEMBER]: provider } = rawTool.safeParse(json).data ?? {};
  return name === undefined ? undefined : present({ name, version, provider });
}

/** The form in claims of version 1. */
export function toolText({ name, version }: Tool): string {
  return version === undefined ? name : `${name}/${version}`;
}
