import type { Bundle } from '@colophon/model';
import { ApiError, type Client } from '@colophon/sdk';
import { useEffect, useState } from 'react';
import { useProject } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';
import { check } from '../strings/check.js';
import { FileDrop } from '../ui/file-drop.js';
import { Notice } from '../ui/notice.js';
import { Progress } from '../ui/progress.js';
import { hashFile } from './hash-file.js';

type State =
  | { kind: 'hashing'; share: number }
  | { kind: 'hashed'; cid: string; bundle: Bundle | undefined; needsKey: boolean }
  | { kind: 'failed'; message: string };

/** Drop a file, and see what is known of it. */
export function CheckPage() {
  const [file, setFile] = useState<File>();
  return (
    <>
      <h1>{check.title}</h1>
      <FileDrop title={check.drop} hint={check.stays} onFiles={([first]) => setFile(first)} />
      {file === undefined ? null : <Result file={file} />}
    </>
  );
}

function Result({ file }: { file: File }) {
  const { client } = useProject();
  const [state, setState] = useState<State>({ kind: 'hashing', share: 0 });
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const onProgress = (share: number) => setState({ kind: 'hashing', share });
    hashFile(file, { signal, onProgress })
      .then(async ({ cid }) => {
        const bundle = client === undefined ? undefined : await readBundle(client, cid, signal);
        setState({ kind: 'hashed', cid, bundle, needsKey: client === undefined });
      })
      .catch((error) => {
        if (!signal.aborted) setState({ kind: 'failed', message: sayError(error) });
      });
    return () => ending.abort();
  }, [file, client]);
  return (
    <section className="card" aria-live="polite">
      <h2>{file.name}</h2>
      {state.kind === 'hashing' ? <Progress label={check.hashing} share={state.share} /> : null}
      {state.kind === 'failed' ? <Notice kind="danger">{state.message}</Notice> : null}
      {state.kind === 'hashed' ? <Known {...state} /> : null}
    </section>
  );
}

function Known({ bundle, needsKey }: { bundle: Bundle | undefined; needsKey: boolean }) {
  if (needsKey) return <Notice kind="info" title={check.needsKey} />;
  if (bundle === undefined) return <Notice kind="warning" title={check.notKnown} />;
  return <Notice kind="good" title={check.known} />;
}

async function readBundle(client: Client, cid: string, signal: AbortSignal): Promise<Bundle | undefined> {
  try {
    return await client.histories.bundle(cid, {}, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NotFound') return undefined;
    throw error;
  }
}
