import { parseContentId } from '@colophon/model';
import type { Client } from '@colophon/sdk';
import { useEffect, useState } from 'react';
import { isAbsent } from '../shell/absent-content.js';
import { makersOf, newestStepOf } from '../shell/correction.js';
import { hashFile } from '../shell/hashing/hash-file.js';
import { sayError } from '../shell/say-error.js';

export interface Found {
  isChecking: boolean;
  /** Undefined until the page knows it. */
  cid?: string;
  isRecorded: boolean;
  /** The newest step that made the content. */
  stepId?: string | undefined;
  /** Ids of the makers of the recorded content. */
  makers?: readonly string[];
  fault?: string;
}

const NOTHING: Found = { isChecking: false, isRecorded: false };
const CHECKING: Found = { isChecking: true, isRecorded: false };

/** `content`: a file, or the content id of a recorded file. */
export function useRecorded(
  client: Client,
  content: File | string | undefined,
): { found: Found; setRecorded: (cid: string) => void } {
  const [known, setKnown] = useState<{ client: Client; content: File | string; found: Found }>();
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round reads the record again
  useEffect(() => {
    if (content === undefined) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    const show = (found: Found) => {
      if (!signal.aborted) setKnown({ client, content, found });
    };
    findRecord(client, content, signal).then(show, (error: unknown) =>
      show({ ...NOTHING, fault: sayError(error) }),
    );
    return () => ending.abort();
  }, [client, content, round]);
  const isKnown = known?.client === client && known.content === content;
  const found = content === undefined ? NOTHING : isKnown ? known.found : CHECKING;
  const setRecorded = (cid: string) => {
    setRound((before) => before + 1);
    // The user can have chosen another file meanwhile.
    setKnown((before) =>
      before?.content === content && before?.client === client
        ? { ...before, found: { ...NOTHING, cid, isRecorded: true } }
        : before,
    );
  };
  return { found, setRecorded };
}

async function findRecord(client: Client, content: File | string, signal: AbortSignal): Promise<Found> {
  const isFile = content instanceof File;
  const cid = isFile ? (await hashFile(content, { signal })).cid : parseContentId(content);
  if (cid === undefined) return NOTHING;
  try {
    // `cid` can be an alias.
    const bundle = await client.histories.bundle(cid, { depth: 1 }, { signal });
    const resource = bundle.resources.find((one) => one.cid === bundle.cid);
    // Without a size, the service has records but no bytes, and accepts a recording of the file.
    const isRecorded = (isFile ? resource?.size : resource?.rootAction) !== undefined;
    if (!isRecorded) return { ...NOTHING, cid: bundle.cid };
    const step = { stepId: newestStepOf(bundle, bundle.cid)?.id, makers: makersOf(bundle, bundle.cid) };
    return { ...NOTHING, cid: bundle.cid, isRecorded, ...step };
  } catch (error) {
    if (isAbsent(error)) return { ...NOTHING, cid };
    throw error;
  }
}
