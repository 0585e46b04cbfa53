import type { Client } from '@colophon/sdk';
import { useEffect, useRef, useState } from 'react';
import { sayError } from '../shell/say-error.js';

export interface FileRequest<Found> {
  found: Found | undefined;
  /** From 0 to 1; undefined while no request runs. */
  share: number | undefined;
  fault: string | undefined;
  ask: () => Promise<void>;
}

interface RequestOptions {
  signal: AbortSignal;
  onProgress: (share: number) => void;
}

/** A change of the file or project ends the request and removes its result. Without `send`, `ask` does nothing. */
export function useFileRequest<Found>(
  { file, client }: { file: File; client?: Client | undefined },
  send: ((options: RequestOptions) => Promise<Found>) | undefined,
): FileRequest<Found> {
  const [found, setFound] = useState<Found>();
  const [share, setShare] = useState<number>();
  const [fault, setFault] = useState<string>();
  const ending = useRef<AbortController>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another project or file removes the result
  useEffect(() => {
    setFound(undefined);
    setFault(undefined);
    setShare(undefined);
    return () => ending.current?.abort();
  }, [client, file]);
  const ask = async () => {
    if (send === undefined) return;
    ending.current = new AbortController();
    const { signal } = ending.current;
    setFault(undefined);
    setShare(0);
    try {
      const answer = await send({ signal, onProgress: setShare });
      if (!signal.aborted) setFound(answer);
    } catch (error) {
      if (!signal.aborted) setFault(sayError(error));
    } finally {
      if (!signal.aborted) setShare(undefined);
    }
  };
  return { found, share, fault, ask };
}
