import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Bundle, Session } from '@colophon/model';
import { mapYielding } from '../../platform/work/map-yielding.js';
import { MAX_PARSED_BYTES } from './answer-size.js';
import type { BundleQuery } from './histories.sql.js';
import { STEP_BYTES } from './history-source.js';
import {
  type HistoryDeps,
  inSteps,
  sortAliases,
  toBundleText,
  toSessionText,
  WHOLE,
  within,
} from './read-histories.js';
import { readLongBundle, readLongSession } from './read-long-history.js';
import type { HistoryTexts } from './render-history.js';

/** Limits of a history that is parsed in one step of the event loop. */
export const PARSED_WHOLE = { ...WHOLE, maxBytes: STEP_BYTES };

/** `isLong`: whether the history was read and parsed in steps. */
export interface ParsedHistory<History> {
  history: History;
  isLong: boolean;
}

/** Truncated to about `MAX_PARSED_BYTES`. Parses a long history in parts. Undefined for an unknown CID. */
export async function readParsedBundle(
  deps: HistoryDeps,
  projectId: string,
  { signal, ...options }: BundleQuery & { signal: AbortSignal },
): Promise<ParsedHistory<Bundle> | undefined> {
  const row = await deps.bundles.read(projectId, within(PARSED_WHOLE, options), signal);
  if (!row.known || row.fits) {
    const text = toBundleText(row);
    return text === undefined ? undefined : { history: JSON.parse(text), isLong: false };
  }
  const source = { projectId, maxBytes: MAX_PARSED_BYTES, signal };
  const { found } = await inSteps(deps, source, async (moment, running) =>
    parseBundle(await readLongBundle(moment, options), running),
  );
  return { history: found, isLong: true };
}

/** Reads a session in the same way as `readParsedBundle` reads a bundle. The oldest actions come first. */
export async function readParsedSession(
  deps: HistoryDeps,
  projectId: string,
  { signal, ...options }: { sessionId: string; limit: number; signal: AbortSignal },
): Promise<ParsedHistory<Session>> {
  const { sessionId } = options;
  const row = await deps.bundles.readSession(projectId, within(PARSED_WHOLE, options), signal);
  if (row !== undefined) return { history: JSON.parse(toSessionText(row, sessionId)), isLong: false };
  const source = { projectId, maxBytes: MAX_PARSED_BYTES, signal };
  const { found } = await inSteps(deps, source, async (moment, running) => {
    const texts = await readLongSession(moment, options);
    return { ...(await parseMembers(texts, running)), sessionId, summary: texts.counts };
  });
  return { history: found as Session, isLong: true };
}

/** Yields between the parts. The result has the same members as the JSON of `toBundleText`. */
export async function parseBundle(texts: HistoryTexts, signal: AbortSignal | undefined): Promise<Bundle> {
  return { cid: texts.root, ...(await parseMembers(texts, signal)) } as Bundle;
}

async function parseMembers(
  { counts, texts, aliases, isComplete }: HistoryTexts,
  signal: AbortSignal | undefined,
): Promise<Omit<Bundle, 'cid'>> {
  const listOf = async (parts: readonly Buffer[]) => {
    await letOthersRun(); // the previous list may have taken some milliseconds
    return (await mapYielding(parts, (part) => JSON.parse(`[${part}]`), signal)).flat();
  };
  return {
    actions: await listOf(texts.actions),
    ...(aliases.size === 0 ? {} : { aliases: Object.fromEntries(sortAliases(aliases)) }),
    complete: isComplete,
    entities: await listOf(texts.entities),
    resources: await listOf(texts.resources),
    ...(isComplete ? {} : { truncatedAt: counts.actions }),
    attributions: await listOf(texts.attributions),
  };
}
