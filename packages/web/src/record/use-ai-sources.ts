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
  /** The error that ended the reading of the histories. */
  fault?: string | undefined;
  /** The number of sources that the page reads, if the draft has more. */
  most?: number | undefined;
}

/** Maximum number of sources. Each source needs a request, and all requests of the page share a rate limit. */
export const MAX_READ_SOURCES = 20;
/** The part of a history that the page reads. */
const READ = { direction: 'ancestors', limit: 500 } as const;

/** Finds out which sources of a draft have AI in their histories. Reads one history after the other, each once. */
export function useAiSources(client: Client, inputs: readonly Input[]): AiSources {
  const [known, setKnown] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [fault, setFault] = useState<string>();
  const read = inputs.slice(0, MAX_READ_SOURCES);
  const next = read.find(({ cid }) => !known.has(cid))?.cid;
  useEffect(() => {
    setFault(undefined);
    if (next === undefined) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    hasAiInHistory(client, next, signal).then(
      (found) => {
        if (!signal.aborted) setKnown((before) => new Map(before).set(next, found));
      },
      (error: unknown) => {
        if (!signal.aborted) setFault(sayError(error));
      },
    );
    return () => ending.abort();
  }, [client, next]);
  return {
    names: read.flatMap(({ cid, name }) => (known.get(cid) === true ? [name] : [])),
    fault,
    most: inputs.length > MAX_READ_SOURCES ? MAX_READ_SOURCES : undefined,
  };
}

/** Whether AI was used for a content or for its sources. A content without a record has no history. */
export async function hasAiInHistory(
  { histories }: Pick<Client, 'histories'>,
  cid: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const bundle = await histories.bundle(cid, READ, { signal });
    const { facts } = describeBundle(bundle, { withhold: [], isHidden: () => false, toRef: (id) => id });
    return AI_ICONS[facts.ai] !== undefined;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}
