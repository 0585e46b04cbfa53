import type { Client } from '@colophon/sdk';
import { useEffect, useState } from 'react';
import { isAbsent } from '../shell/absent-content.js';
import { hashFile } from '../shell/hashing/hash-file.js';
import { Link } from '../shell/navigation.js';
import { useClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';
import { record } from '../strings/record.js';
import { Notice } from '../ui/notice.js';

const text = record.already;

/** Says that the project has a record of this file, before the user fills in the form. */
export function AlreadyRecorded({ file }: { file: File }) {
  const client = useClient();
  const [cid, setCid] = useState<string>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    findRecord(client, file, signal).then(setCid, (error: unknown) => {
      if (!signal.aborted) setFault(sayError(error));
    });
    return () => ending.abort();
  }, [client, file]);
  if (fault !== undefined) return <p className="quiet">{text.unknown(fault)}</p>;
  if (cid === undefined) return null;
  return (
    <Notice kind="warning" title={text.title}>
      <p>{text.means}</p>
      <Link to={`/explore/${cid}`}>{record.done.history}</Link>
    </Notice>
  );
}

/** Returns the CID of the file if the project has a record of it. */
async function findRecord(client: Client, file: File, signal: AbortSignal): Promise<string | undefined> {
  const { cid } = await hashFile(file, { signal });
  try {
    const { resources } = await client.histories.bundle(cid, { limit: 1 }, { signal });
    return resources.some((resource) => resource.cid === cid && resource.state !== null) ? cid : undefined;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
