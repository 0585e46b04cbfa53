import type { Client } from '@colophon/sdk';
import { useEffect, useRef, useState } from 'react';
import { sayError } from '../shell/say-error.js';
import { check } from '../strings/check.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { Progress } from '../ui/progress.js';
import { askService } from './ask-service.js';
import type { ServiceFindings } from './findings.js';
import { sayMatches } from './matches-part.js';
import { OpenForCheck } from './open-for-check.js';

const text = check.service;

/** For a visitor without a project: how to send the file to the service. */
export function ServiceOffer() {
  return (
    <section className="card wide">
      <h3>{text.title}</h3>
      <p>
        {text.needsProject} <OpenForCheck />
      </p>
    </section>
  );
}

/** Describes the result for the Content Credentials. If there are none, says what this means. */
export function sayFinding({ extraction }: ServiceFindings): string {
  if (extraction === null) return `${text.unsupported} ${text.noneMeans}`;
  const state = extraction.validation?.state;
  return state === undefined ? `${text.none} ${text.noneMeans}` : `${text.states[state]}.`;
}

/** Sends the file to the service only after a click on the button. */
export function ServicePart({
  client,
  file,
  cid,
  findings,
  onFindings,
}: {
  client: Client;
  file: File;
  /** The content id of the file; undefined until the browser has computed it. */
  cid: string | undefined;
  findings: ServiceFindings | undefined;
  onFindings: (found: ServiceFindings) => void;
}) {
  const [share, setShare] = useState<number>();
  const [fault, setFault] = useState<string>();
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);
  const ask = async () => {
    ending.current = new AbortController();
    const { signal } = ending.current;
    setFault(undefined);
    setShare(0);
    try {
      onFindings(await askService(client, file, { signal, onProgress: setShare }));
    } catch (error) {
      if (!signal.aborted) setFault(sayError(error));
    } finally {
      setShare(undefined);
    }
  };
  return (
    <section className="card wide">
      <h3>{text.title}</h3>
      {findings === undefined ? (
        <p>{text.offer}</p>
      ) : (
        <>
          <p>{text.answered}</p>
          <p>{sayFinding(findings)}</p>
          <p>{sayMatches(findings.search, cid)}</p>
        </>
      )}
      {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
      {share === undefined ? (
        <div className="row">
          <Button kind={findings === undefined ? 'primary' : 'plain'} onClick={ask}>
            {findings === undefined ? text.ask : text.again}
          </Button>
        </div>
      ) : (
        <Progress label={text.sending} share={share} />
      )}
    </section>
  );
}
