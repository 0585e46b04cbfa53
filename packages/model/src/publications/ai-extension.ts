import * as z from 'zod';
import { aiDisclosureSchema } from '../c2pa/provenance-assertion.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../canonical-json.js';
import type { Action } from '../records/action.js';
import { shortenText } from './shorten-text.js';

const AI_KEY = /^ext:ai@/;
const PROMPTS = ['prompt', 'systemPrompt'];
const TOOL = ['provider', 'model', 'version'];

/** Whether a key belongs to the extension `ext:ai`, in any version. */
export function isAiKey(key: string): boolean {
  return AI_KEY.test(key);
}

/** Whether an `ext:ai` extension contains only the AI tool and prompts. */
export function isToolAlone(extension: JsonValue): boolean {
  if (!isJsonObject(extension)) return false;
  const { tool = {}, ...flat } = extension;
  return isJsonObject(tool) && [flat, tool].every(namesTool);
}

const markAlone = z.strictObject({
  aiDisclosure: aiDisclosureSchema,
  generator: z.strictObject({
    name: z.string(),
    version: z.string().optional(),
    provider: z.string().optional(),
  }),
  markedCid: z.string().optional(),
});

/** A mark can name its original only if it is one of `inputCids`, which every publication shows. */
export function isDisclosureAlone(extension: JsonValue, inputCids: readonly string[] = []): boolean {
  const { data } = markAlone.safeParse(extension);
  if (data === undefined) return false;
  return data.markedCid === undefined || inputCids.includes(data.markedCid);
}

function namesTool(part: JsonObject): boolean {
  return Object.entries(part).every(
    ([name, value]) => PROMPTS.includes(name) || (TOOL.includes(name) && typeof value === 'string'),
  );
}

/** The same limits as in `aiTool`. The schema of `ext:ai` has no limits. */
const MAX_LENGTHS = { provider: 256, model: 256, version: 128 };

/** `aiTool`, or else the first tool in `ext:ai`. A longer text is truncated and ends with `…`. */
export function toolOf({ aiTool, extensions }: Pick<Action, 'aiTool' | 'extensions'>): Action['aiTool'] {
  const tool =
    aiTool ??
    aiParts(extensions)
      .map(readTool)
      .find((found) => found !== undefined);
  return tool && shortenTool(tool);
}

function shortenTool({ provider, model, version }: NonNullable<Action['aiTool']>): Action['aiTool'] {
  return {
    provider: shortenText(provider, MAX_LENGTHS.provider),
    model: shortenText(model, MAX_LENGTHS.model),
    ...(version === undefined ? {} : { version: shortenText(version, MAX_LENGTHS.version) }),
  };
}

/**
 * Returns the recorded prompts and system prompts of an action.
 *
 * @example
 * promptsOf({ extensions: { 'ext:ai@1.0.0': { prompt: 'a heron at dawn' } } }); // => ['a heron at dawn']
 */
export function promptsOf({ extensions }: Pick<Action, 'extensions'>): string[] {
  return aiParts(extensions)
    .flatMap((part) => PROMPTS.map((name) => part[name]))
    .filter((prompt) => typeof prompt === 'string');
}

function aiParts(extensions: Record<string, unknown>): JsonObject[] {
  return Object.entries(extensions)
    .filter(([key]) => isAiKey(key))
    .map(([, value]) => value as JsonValue)
    .flatMap((value) => (isJsonObject(value) ? [value, value.tool] : []))
    .filter((part) => part !== undefined && isJsonObject(part));
}

function readTool({ provider, model, version }: JsonObject): Action['aiTool'] {
  if (typeof provider !== 'string' || typeof model !== 'string') return undefined;
  return { provider, model, ...(typeof version === 'string' ? { version } : {}) };
}
