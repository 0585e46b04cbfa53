import type { Detection } from '@colophon/model';
import { useEffect, useState } from 'react';
import { openClient } from '../shell/project.js';
import { check } from '../strings/check.js';
import { detector } from '../strings/detector.js';
import { type FileRequest, useFileRequest } from './use-file-request.js';
import type { Search } from './verdict-card.js';

export interface Detector extends Omit<FileRequest<Detection>, 'found'> {
  /** The size limit of the public detector. Undefined without a detector. */
  maxBytes: number | undefined;
  /** Whether the service has a public detector that accepts a file of this size. */
  isOffered: boolean;
  detection: Detection | undefined;
}

/** Examines a file with the public detector, on request. Members use it without their key, with the same limits. */
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
 * Returns the search of a visitor without a project. Undefined after a detection, because the page then shows the
 * result. `start` starts the detector if the detector accepts a file of this size. `start` also moves the focus to the
 * first part of the page that can search. But this part can search only with the first file. So the `start` of the
 * second file (`isSecond`) moves the focus only if the detector does not accept a file of this size.
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

/**
 * Returns the sentence that the check with the service does not look for watermarks, but the detector does. Undefined
 * if the page does not offer the detector, and after a detection.
 */
export function sayWatermarks({ isOffered, detection }: Detector): string | undefined {
  return isOffered && detection === undefined ? check.service.watermarks(detector.askMember) : undefined;
}

/** Moves the focus to the first part of the page that can search with the file, and shows this part. */
export function focusSearch() {
  // While this part sends the file, it has no button.
  document.querySelector('[data-search]')?.scrollIntoView({ block: 'center' });
  document.querySelector<HTMLElement>('[data-search] button, [data-search] a')?.focus();
}
