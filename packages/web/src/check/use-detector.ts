import type { Detection } from '@colophon/model';
import { useEffect, useRef, useState } from 'react';
import { openClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';
import type { Search } from './verdict-card.js';

export interface Detector {
  /** The size limit of the public detector. Undefined without a detector. */
  maxBytes: number | undefined;
  detection: Detection | undefined;
  /** Fraction of the upload that is done, from 0 to 1. Undefined while no detection runs. */
  share: number | undefined;
  fault: string | undefined;
  /** Sends the file to the detector. */
  ask: () => Promise<void>;
}

/** Examines a file with the public detector, on request. With `isNeeded` false, the page does not use the detector. */
export function useDetector(file: File, isNeeded: boolean): Detector {
  const maxBytes = useMaxBytes(isNeeded);
  const [detection, setDetection] = useState<Detection>();
  const [share, setShare] = useState<number>();
  const [fault, setFault] = useState<string>();
  const ending = useRef<AbortController>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file removes the result
  useEffect(() => {
    setDetection(undefined);
    setFault(undefined);
    setShare(undefined);
    return () => ending.current?.abort();
  }, [file]);
  const ask = async () => {
    ending.current = new AbortController();
    const { signal } = ending.current;
    const onProgress = ({ sentBytes }: { sentBytes: number }) => setShare(sentBytes / (file.size || 1));
    setFault(undefined);
    setShare(0);
    try {
      const found = await openClient().detect(file, { signal, onProgress });
      if (!signal.aborted) setDetection(found);
    } catch (error) {
      if (!signal.aborted) setFault(sayError(error));
    } finally {
      if (!signal.aborted) setShare(undefined);
    }
  };
  return { maxBytes, detection, share, fault, ask };
}

function useMaxBytes(isNeeded: boolean): number | undefined {
  const [maxBytes, setMaxBytes] = useState<number>();
  useEffect(() => {
    if (!isNeeded) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    openClient()
      .published.detector({ signal })
      .then(({ maxBytes: most }) => setMaxBytes(most ?? undefined))
      .catch(() => setMaxBytes(undefined)); // the page works without the detector
    return () => ending.abort();
  }, [isNeeded]);
  return maxBytes;
}

/**
 * Returns the search of a visitor without a project. Its `start` moves the focus to the first part of the page that can
 * search with the file, and starts the detector if the detector accepts a file of this size. Undefined after a
 * detection, because the page then shows the result. That part searches with the first file. So with `isSecond`, the
 * focus moves only if the detector cannot examine the file.
 */
export function searchOf(
  file: File,
  { maxBytes, detection, share, ask }: Detector,
  isSecond = false,
): Search | undefined {
  if (detection !== undefined) return undefined;
  const isPossible = maxBytes !== undefined && file.size <= maxBytes;
  const start = () => {
    if (!isPossible || !isSecond) focusSearch();
    if (isPossible) void ask();
  };
  return { start, share };
}

/** Moves the focus to the first part of the page that can search with the file. */
function focusSearch() {
  document.querySelector<HTMLElement>('[data-search] button, [data-search] a')?.focus();
}
