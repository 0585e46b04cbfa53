import { RECEIPT_FAULTS, type Receipt, type ReceiptReport } from '@colophon/model';
import type { Client } from '@colophon/sdk';
import { useEffect, useState } from 'react';
import { useClient } from '../../shell/project.js';
import { saveFile } from '../../shell/save-file.js';
import { sayError } from '../../shell/say-error.js';
import { explore } from '../../strings/explore.js';
import { Button } from '../../ui/button.js';
import { CopyText } from '../../ui/copy-text.js';
import { Notice } from '../../ui/notice.js';

const texts = explore.proof;
/** Without a delay, each press of an arrow key would fetch a receipt. */
const PAUSE_MS = 350;

interface Checked {
  receipt: Receipt;
  report: ReceiptReport;
  logKey: string;
}

export function Proof({
  kind,
  id,
  isOfMaking = false,
}: {
  kind: 'action' | 'entity';
  id: string;
  isOfMaking?: boolean;
}) {
  const client = useClient();
  const [checked, setChecked] = useState<Checked>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    const ending = new AbortController();
    const check = () =>
      readProof(client, { kind, id, signal: ending.signal })
        .then(setChecked)
        .catch((error) => {
          if (!ending.signal.aborted) setFault(sayError(error));
        });
    const timer = setTimeout(check, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [client, kind, id]);
  return (
    <section className="stack" aria-live="polite">
      <h3>{texts.title}</h3>
      {fault === undefined ? null : <Notice kind="warning">{fault}</Notice>}
      {checked === undefined && fault === undefined ? <p className="quiet">{texts.checking}</p> : null}
      {checked === undefined ? null : <Verdict {...checked} isOfMaking={isOfMaking} />}
    </section>
  );
}

async function readProof(
  client: Client,
  { kind, id, signal }: { kind: 'action' | 'entity'; id: string; signal: AbortSignal },
): Promise<Checked> {
  const [receipt, { verifierKey }] = await Promise.all([
    client.receipts.get(kind, id, { signal }),
    client.log.get({ signal }),
  ]);
  return { receipt, logKey: verifierKey, report: client.receipts.verify(receipt, verifierKey) };
}

function Verdict({ receipt, report, logKey, isOfMaking }: Checked & { isOfMaking: boolean }) {
  const save = () =>
    saveFile(new Blob([JSON.stringify(receipt, null, 2)], { type: 'application/json' }), 'receipt.json');
  if (!report.verified) {
    return (
      <Notice kind="danger" title={texts.fails}>
        <p>{RECEIPT_FAULTS[report.code]}</p>
      </Notice>
    );
  }
  return (
    <>
      <Notice kind="good" title={texts.holds}>
        <p>{texts.why}</p>
        {isOfMaking ? <p>{texts.ofMaking}</p> : null}
      </Notice>
      <details>
        <summary>{texts.shows}</summary>
        <div className="stack">
          <p>{texts.limits}</p>
          <p>{texts.place(report.leafIndex, report.size)}</p>
          {report.anchor === null ? null : <p>{texts.anchored(report.anchor.chainName)}</p>}
          <p>
            {texts.key}: <CopyText text={logKey} label={texts.key} />
          </p>
        </div>
      </details>
      <div className="row">
        <Button onClick={save}>{texts.save}</Button>
      </div>
    </>
  );
}
