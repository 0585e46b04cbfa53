import type { Detection } from '@colophon/model';
import { useEffect, useRef, useState } from 'react';
import { openClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';

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
  useEffect(() => () => ending.current?.abort(), []);
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
