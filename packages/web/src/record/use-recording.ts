import type { ActivityRequest, Match } from '@colophon/model';
import { type Client, duplicateOf } from '@colophon/sdk';
import { useRef, useState } from 'react';
import { sayError } from '../shell/say-error.js';
import { titleSources } from './title-sources.js';

/** The new record, or the existing record of the same bytes. */
export interface Recorded {
  cid: string;
  actionId: string;
  isDuplicate: boolean;
  /** The CIDs of similar contents, the most certain first. */
  similar: readonly string[];
}

/** The result of storing the titles of the source files. */
export interface SourceTitles {
  count: number;
  /** The error that ended the storing of titles. `count` is then 0, although some titles may be stored. */
  fault?: string;
}

type State =
  | { kind: 'filling' }
  | { kind: 'sending'; share: number | undefined }
  | { kind: 'failed'; message: string }
  | { kind: 'done'; result: Recorded };

interface Sending {
  file: File;
  activity: ActivityRequest;
  /** Titles of source files, by CID. */
  titles: ReadonlyMap<string, string>;
}

/** `onRecorded` gets the id of the entity of a new record. */
export function useRecording(client: Client, onRecorded: (entityId: string) => void) {
  const [state, setState] = useState<State>({ kind: 'filling' });
  const [sources, setSources] = useState<SourceTitles>({ count: 0 });
  const ending = useRef<AbortController>(undefined);
  const start = async ({ file, activity, titles }: Sending) => {
    ending.current = new AbortController();
    const { signal } = ending.current;
    setState({ kind: 'sending', share: 0 });
    const onProgress = ({ sentBytes }: { sentBytes: number }) =>
      setState({ kind: 'sending', share: file.size === 0 ? undefined : sentBytes / file.size });
    try {
      const { cid, actionId, entityId, matches } = await client.file(file, activity, { signal, onProgress });
      onRecorded(entityId);
      setState({
        kind: 'done',
        result: { cid, actionId, isDuplicate: false, similar: similarOf(matches, cid) },
      });
    } catch (error) {
      const found = duplicateOf(error);
      if (found !== undefined) {
        setState({ kind: 'done', result: { ...found, isDuplicate: true, similar: [] } });
      } else setState(signal.aborted ? { kind: 'filling' } : { kind: 'failed', message: sayError(error) });
      return;
    }
    // Titles follow the recording, because the service does not know the source files before it.
    setSources(
      await titleSources(client, titles).then(
        (count) => ({ count }),
        (error: unknown) => ({ count: 0, fault: sayError(error) }),
      ),
    );
  };
  return {
    state,
    sources,
    start,
    cancel: () => ending.current?.abort(),
  };
}

/** Returns each similar content once. Several methods can find the same content. */
function similarOf(matches: readonly Match[], cid: string): string[] {
  return [...new Set(matches.map((match) => match.cid))].filter((other) => other !== cid);
}
