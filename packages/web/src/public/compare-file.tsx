import type { PublishedHistory } from '@colophon/model';
import { useEffect, useState } from 'react';
import { hashFile } from '../shell/hashing/hash-file.js';
import { sayError } from '../shell/say-error.js';
import { published } from '../strings/public.js';
import { FileDrop } from '../ui/file-drop.js';
import { Notice } from '../ui/notice.js';
import { Progress } from '../ui/progress.js';

type State = { share: number } | { isSame: boolean } | { failed: string };

/** The file stays in the browser. */
export function CompareFile({ history: { cid } }: { history: PublishedHistory }) {
  const [file, setFile] = useState<File>();
  const [state, setState] = useState<State>({ share: 0 });
  useEffect(() => {
    if (file === undefined) return;
    const ending = new AbortController();
    const { signal } = ending;
    setState({ share: 0 });
    hashFile(file, { signal, onProgress: (share) => setState({ share }) })
      .then((digests) => setState({ isSame: digests.cid === cid }))
      .catch((error) => {
        if (!signal.aborted) setState({ failed: sayError(error) });
      });
    return () => ending.abort();
  }, [file, cid]);
  return (
    <>
      <FileDrop
        title={published.compareDrop}
        hint={published.compareHint}
        onFiles={([first]) => setFile(first)}
      />
      <div aria-live="polite">{file === undefined ? null : <Outcome state={state} />}</div>
    </>
  );
}

function Outcome({ state }: { state: State }) {
  if ('share' in state) return <Progress label={published.comparing} share={state.share} />;
  if ('failed' in state) return <Notice kind="danger">{state.failed}</Notice>;
  return state.isSame ? (
    <Notice kind="good" title={published.same} />
  ) : (
    <Notice kind="warning" title={published.other} />
  );
}
