import type { ActivityRequest, Match } from '@colophon/model';
import { type Client, duplicateOf } from '@colophon/sdk';
import { useRef, useState } from 'react';
import { newUuid } from '../shell/new-uuid.js';
import { sayError } from '../shell/say-error.js';
import { record } from '../strings/record.js';
import { type Attempt, addStep } from './add-step.js';
import type { Draft } from './draft.js';
import { findOtherCorrection } from './recorded-step.js';
import { titleSources } from './title-sources.js';

export interface Recorded {
  cid: string;
  actionId: string;
  entityId: string;
  isStep: boolean;
  /** The most certain first. */
  similar: readonly string[];
}

export interface SourceTitles {
  count: number;
  /** `count` is then 0, although some titles may be stored. */
  fault?: string;
}

export type RecordingState =
  | { kind: 'filling' }
  | { kind: 'sending'; share: number | undefined }
  | { kind: 'failed'; message: string }
  /** Another step already corrects the step of the form. `correction`: the last correction. */
  | { kind: 'outdated'; correction: string }
  | { kind: 'done'; result: Recorded };

interface Sending {
  /** A new file, or the content id of a recorded file. */
  content: File | string;
  activity: ActivityRequest;
  corrected: Draft['corrected'];
  /** Maps a CID to its title. */
  titles: ReadonlyMap<string, string>;
}

interface Callbacks {
  onRecorded: (entityId: string) => void;
  /** Gets the CID of a file that is already recorded, which the service refuses to record again. */
  onDuplicate: (cid: string) => void;
}

export function useRecording(client: Client, { onRecorded, onDuplicate }: Callbacks) {
  const [state, setState] = useState<RecordingState>({ kind: 'filling' });
  const [sources, setSources] = useState<SourceTitles>({ count: 0 });
  const ending = useRef<AbortController>(undefined);
  // `of`: content and activity as JSON. Changed input needs another attempt.
  const attempt = useRef<Attempt & { of: string }>(undefined);
  const start = async ({ content, activity, corrected, titles }: Sending) => {
    ending.current = new AbortController();
    const { signal } = ending.current;
    setState({ kind: 'sending', share: content instanceof File ? 0 : undefined });
    const of = JSON.stringify([content, activity]);
    if (attempt.current?.of !== of) attempt.current = { of, actionId: newUuid() };
    const onProgress = (share: number | undefined) => setState({ kind: 'sending', share });
    try {
      const sending = { content, activity, corrected, attempt: attempt.current };
      const correction = await findConflict(client, sending, signal);
      if (correction !== undefined) {
        setState({ kind: 'outdated', correction });
        return;
      }
      const result = await send(client, sending, { signal, onProgress });
      onRecorded(result.entityId);
      setState({ kind: 'done', result });
    } catch (error) {
      const found = duplicateOf(error);
      if (found !== undefined) onDuplicate(found.cid);
      const message = found === undefined ? sayError(error) : record.already.title;
      setState(signal.aborted ? { kind: 'filling' } : { kind: 'failed', message });
      return;
    }
    // The service does not know the source files before the recording.
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

/** Returns the last correction, if somebody has corrected the step since the form read it. */
async function findConflict(
  client: Client,
  { content, corrected, attempt }: Pick<Sending, 'content' | 'corrected'> & { attempt: Attempt },
  signal: AbortSignal,
): Promise<string | undefined> {
  if (content instanceof File || corrected === undefined) return undefined;
  const step = { cid: content, actionId: corrected.actionId, ownId: attempt.actionId };
  return findOtherCorrection(client, step, { signal });
}

async function send(
  client: Client,
  { content, activity, corrected, attempt }: Omit<Sending, 'titles'> & { attempt: Attempt },
  { signal, onProgress }: { signal: AbortSignal; onProgress: (share: number | undefined) => void },
): Promise<Recorded> {
  if (!(content instanceof File)) {
    const { outputCids } = corrected ?? {};
    const step = await addStep(client, { cid: content, outputCids, activity, attempt }, { signal });
    return { ...step, isStep: true, similar: [] };
  }
  const { cid, actionId, entityId, matches } = await client.file(content, activity, {
    signal,
    onProgress: ({ sentBytes }) => onProgress(content.size === 0 ? undefined : sentBytes / content.size),
  });
  return { cid, actionId, entityId, isStep: false, similar: similarOf(matches, cid) };
}

/** Several methods can find the same content. */
function similarOf(matches: readonly Match[], cid: string): string[] {
  return [...new Set(matches.map((match) => match.cid))].filter((other) => other !== cid);
}
