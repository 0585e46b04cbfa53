import type { Client, FileVerdict } from '@colophon/sdk';
import { useEffect, useState } from 'react';
import { isAbsent } from '../shell/absent-content.js';
import { hashFile } from '../shell/hashing/hash-file.js';
import { openClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';
import { examineFile } from './credentials/examine-file.js';
import type { Findings } from './findings.js';

export interface Examination {
  findings: Findings;
  /** From 0 to 1. */
  share: number;
  fault?: string;
}

export interface Subject {
  file?: File | undefined;
  cid?: string | undefined;
}

/** Examines a file in the browser. The service receives only the content id of the file. */
export function useFindings({ file, cid }: Subject, client: Client | undefined): Examination {
  const [examination, setExamination] = useState<Examination>({ findings: {}, share: 0 });
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const add = (found: Findings) => {
      if (!signal.aborted) setExamination((now) => ({ ...now, findings: { ...now.findings, ...found } }));
    };
    const fail = (error: unknown) => {
      if (!signal.aborted) setExamination((now) => ({ ...now, fault: sayError(error) }));
    };
    const ask = async (known: string) => {
      if (client !== undefined) return add({ recorded: await verify(client, known, signal) });
      const publicly = await openClient().published.check(known, { signal });
      add({ recorded: null, publicly });
    };
    setExamination({ findings: {}, share: 0 });
    if (file === undefined) {
      add({ examined: { kind: 'none' } });
      if (cid !== undefined) ask(cid).catch(fail);
      return () => ending.abort();
    }
    const onProgress = (share: number) => setExamination((now) => ({ ...now, share }));
    hashFile(file, { signal, onProgress })
      .then(async (digests) => {
        add({ digests });
        await ask(digests.cid);
      })
      .catch(fail);
    examineFile(file, signal)
      .then((examined) => add({ examined }))
      .catch(fail);
    return () => ending.abort();
  }, [file, cid, client]);
  return examination;
}

async function verify(client: Client, cid: string, signal: AbortSignal): Promise<FileVerdict> {
  try {
    return await client.verifyCid(cid, { signal });
  } catch (error) {
    if (isAbsent(error)) return { verified: false, cid, reason: 'notRecorded' };
    throw error;
  }
}
