import * as z from 'zod';
import { lenientText } from './lenient-fields.js';
import { present } from './present.js';

/** Name of the member of a software agent that contains the provider of the AI model. */
export const PROVIDER_MEMBER = 'org.colophon.provider';

/** A tool, with its version if the file states it. */
export interface Tool {
  readonly name: string;
  readonly version?: string;
  /** The provider of the AI model, from `PROVIDER_MEMBER`. This service writes that member. */
  readonly provider?: string;
}

const rawTool = z.object({
  name: lenientText(256),
  version: lenientText(128),
  [PROVIDER_MEMBER]: lenientText(256),
});

/**
 * Reads a tool from a user agent text (claim version 1) or from `{name, version?}` (claim version 2). Returns undefined
 * without a name.
 */
export function readTool(json: unknown): Tool | undefined {
  if (typeof json === 'string') return readTool({ name: json });
  const { name, version, [PROVIDER_MEMBER]: provider } = rawTool.safeParse(json).data ?? {};
  return name === undefined ? undefined : present({ name, version, provider });
}

/** Returns `name` or `name/version`, the form in claims of version 1. */
export function toolText({ name, version }: Tool): string {
  return version === undefined ? name : `${name}/${version}`;
}
