import { describeBundle } from '@colophon/model';
import type { Client } from '@colophon/sdk';
import { useEffect, useState } from 'react';
import { isAbsent } from '../shell/absent-content.js';
import { sayError } from '../shell/say-error.js';
import { AI_ICONS } from '../ui/ai-icons.js';
import type { Input } from './draft.js';

/** The use of AI in the histories of the source files. */
export interface AiSources {
  /** The names of the sources whose history has AI. */
  names: readonly string[];
  /** The names of the sources whose history has no AI in the part that the page read. The rest is unread. */
  partly?: readonly string[];
  /** The names of the sources whose history the page could not read, and the first error. */
  unread?: { names: readonly string[]; reason: string } | undefined;
  /** The maximum number of sources that the page reads. Undefined if the draft has at most this number of sources. */
  most?: number | undefined;
}

/** Maximum number of sources. Each source needs a request, and all requests of the page share a rate limit. */
export const MAX_READ_SOURCES = 20;
/** The part of a history that the page reads. */
export const READ_PART = { direction: 'ancestors', limit: 500 } as const;

/** The use of AI in a history. `partly`: the page read only a part of the history, and this part has no AI. */
export type AiInHistory = 'ai' | 'none' | 'partly';
/** The use of AI in a history, or the error of its reading. */
type Read = AiInHistory | { fault: string };

/**
 * Finds out which sources of a draft have AI in their histories. Reads one history after the other, each once. An error
 * does not stop this.
 */
export function useAiSources(client: Client, inputs: readonly Input[]): AiSources {
  const [known, setKnown] = useState<ReadonlyMap<string, Read>>(new Map());
  const read = inputs.slice(0, MAX_READ_SOURCES);
  const next = read.find(({ cid }) => !known.has(cid))?.cid;
  useEffect(() => {
    if (next === undefined) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    const add = (found: Read) => {
      if (!signal.aborted) setKnown((before) => new Map(before).set(next, found));
    };
    findAiInHistory(client, next, signal).then(add, (error: unknown) => add({ fault: sayError(error) }));
    return () => ending.abort();
  }, [client, next]);
  const namesOf = (found: Read) => read.flatMap(({ cid, name }) => (known.get(cid) === found ? [name] : []));
  return {
    names: namesOf('ai'),
    partly: namesOf('partly'),
    unread: unreadOf(read, known),
    most: inputs.length > MAX_READ_SOURCES ? MAX_READ_SOURCES : undefined,
  };
}

function unreadOf(read: readonly Input[], known: ReadonlyMap<string, Read>): AiSources['unread'] {
  const failed = read.flatMap(({ cid, name }) => {
    const found = known.get(cid);
    return typeof found === 'object' ? [{ name, reason: found.fault }] : [];
  });
  const [first] = failed;
  return first && { names: failed.map(({ name }) => name), reason: first.reason };
}

/** Finds out whether AI was used for a content or for its sources. A content without a record has no history. */
export async function findAiInHistory(
  { histories }: Pick<Client, 'histories'>,
  cid: string,
  signal: AbortSignal,
): Promise<AiInHistory> {
  try {
    const bundle = await histories.bundle(cid, READ_PART, { signal });
    const { facts } = describeBundle(bundle, { withhold: [], isHidden: () => false, toRef: (id) => id });
    if (AI_ICONS[facts.ai] !== undefined) return 'ai';
    return bundle.complete ? 'none' : 'partly';
  } catch (error) {
    if (isAbsent(error)) return 'none';
    throw error;
  }
}
