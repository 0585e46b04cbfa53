import type { Detection } from '@colophon/model';
import { useEffect, useState } from 'react';
import { openClient } from '../shell/project.js';
import { check } from '../strings/check.js';
import { detector } from '../strings/detector.js';
import { type FileRequest, useFileRequest } from './use-file-request.js';
import type { Search } from './verdict-card.js';

export interface Detector extends Omit<FileRequest<Detection>, 'found'> {
  /** Undefined without a detector. */
  maxBytes: number | undefined;
  isOffered: boolean;
  detection: Detection | undefined;
}

/** Members use the detector without their key, with the same limits. */
export function useDetector(file: File): Detector {
  const maxBytes = useMaxBytes();
  const { found: detection, ...request } = useFileRequest({ file }, ({ signal, onProgress }) =>
    openClient().detect(file, {
      signal,
      onProgress: ({ sentBytes }) => onProgress(sentBytes / (file.size || 1)),
    }),
  );
  const isOffered = maxBytes !== undefined && file.size <= maxBytes;
  return { maxBytes, isOffered, detection, ...request };
}

function useMaxBytes(): number | undefined {
  const [maxBytes, setMaxBytes] = useState<number>();
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    openClient()
      .published.detector({ signal })
      .then(({ maxBytes: most }) => setMaxBytes(most ?? undefined))
      .catch(() => setMaxBytes(undefined)); // the page works without the detector
    return () => ending.abort();
  }, []);
  return maxBytes;
}

/**
 * Returns the search of a visitor, undefined after a detection. `start` starts the detector if the size allows it, and
 * moves the focus to the part that searches. That part searches with the first file, so for a second file (`isSecond`),
 * `start` moves the focus only if the detector cannot start.
 */
export function searchOf(
  { isOffered, detection, share, ask }: Detector,
  isSecond = false,
): Search | undefined {
  if (detection !== undefined) return undefined;
  const start = () => {
    if (!isOffered || !isSecond) focusSearch();
    if (isOffered) void ask();
  };
  return { start, share, isSending: isOffered };
}

/** Says that only the detector looks for watermarks. Undefined without a detector, and after a detection. */
export function sayWatermarks({ isOffered, detection }: Detector): string | undefined {
  return isOffered && detection === undefined ? check.service.watermarks(detector.askMember) : undefined;
}

export function focusSearch() {
  // While this part sends the file, it has no button.
  document.querySelector('[data-search]')?.scrollIntoView({ block: 'center' });
  document.querySelector<HTMLElement>('[data-search] button, [data-search] a')?.focus();
}
