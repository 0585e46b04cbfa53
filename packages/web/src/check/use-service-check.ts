import type { Client } from '@colophon/sdk';
import { useEffect, useRef, useState } from 'react';
import { sayError } from '../shell/say-error.js';
import { askService } from './ask-service.js';
import type { ServiceFindings } from './findings.js';

export interface ServiceCheck {
  findings: ServiceFindings | undefined;
  /**
   * Fraction of the two uploads (for the credentials and for the search) that is done, from 0 to 1. Undefined while no
   * check runs.
   */
  share: number | undefined;
  fault: string | undefined;
  /** Sends the file to the service. */
  ask: () => Promise<void>;
}

/** Checks a file with the service, on request. The result belongs to one project: a change of project removes it. */
export function useServiceCheck(client: Client | undefined, file: File): ServiceCheck {
  const [findings, setFindings] = useState<ServiceFindings>();
  const [share, setShare] = useState<number>();
  const [fault, setFault] = useState<string>();
  const ending = useRef<AbortController>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another project or file removes the result
  useEffect(() => {
    setFindings(undefined);
    setFault(undefined);
    setShare(undefined);
    return () => ending.current?.abort();
  }, [client, file]);
  const ask = async () => {
    if (client === undefined) return;
    const started = new AbortController();
    ending.current = started;
    const { signal } = started;
    setFault(undefined);
    setShare(0);
    try {
      const found = await askService(client, file, { signal, onProgress: setShare });
      if (!signal.aborted) setFindings(found);
    } catch (error) {
      if (!signal.aborted) setFault(sayError(error));
    } finally {
      if (!signal.aborted) setShare(undefined);
    }
  };
  return { findings, share, fault, ask };
}
