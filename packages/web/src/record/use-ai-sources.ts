import { describeBundle } from '@colophon/model';
import type { Client } from '@colophon/sdk';
import { useEffect, useState } from 'react';
import { isAbsent } from '../shell/absent-content.js';
import { sayError } from '../shell/say-error.js';
import { AI_ICONS } from '../ui/ai-icons.js';
import type { Input } from './draft.js';

export interface AiSources {
  /** Sources with AI in their histories. */
  names: readonly string[];
  /** Sources without AI in the part of the history that the page read. */
  partly?: readonly string[];
  /** Sources whose history the page could not read, and the first error. */
  unread?: { names: readonly string[]; reason: string } | undefined;
  /** Maximum number of read sources, if the draft has more. */
  most?: number | undefined;
}

/** Each source needs a request, and all requests of the page share a rate limit. */
export const MAX_READ_SOURCES = 20;
export const READ_PART = { direction: 'ancestors', limit: 500 } as const;

/** `partly`: no AI in the part of the history that the page read. */
export type AiInHistory = 'ai' | 'none' | 'partly';
type Read = AiInHistory | { fault: string };

/** Reads one history after the other, each once. An error does not stop this. */
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

/** A content without a record has no history. */
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
