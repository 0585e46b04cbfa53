import { listLicenses, type PublishedHistory } from '@colophon/model';
import type { ReactNode } from 'react';
import { formatInstant } from '../../languages/formats.js';
import { LocalNote } from '../../shell/local-note.js';
import { describeMaking, nameLevel } from '../../strings/describe-facts.js';
import { published } from '../../strings/public.js';
import { AiLabel } from '../../ui/ai-label.js';
import { Button } from '../../ui/button.js';
import { describeSource } from '../../ui/describe-source.js';
import { Instant } from '../../ui/instant.js';
import { RecordLine } from '../../ui/record-line.js';
import type { ProofState } from '../use-proof.js';
import { QrCode } from './qr-code.js';
import './certificate.css';

export function Certificate({
  history,
  title,
  proof,
}: {
  history: PublishedHistory;
  title: string;
  proof: ProofState;
}) {
  const { facts, cid, sha256, log, path, publishedAt } = history;
  const link = new URL(path, window.location.origin).href;
  const isVerified = typeof proof === 'object' && 'records' in proof;
  const rows: [string, ReactNode][] = [
    [published.license, listLicenses(history).join(', ') || undefined],
    [published.published, <Instant key="published" at={publishedAt} />],
    [published.cid, cid],
    [published.sha256, sha256],
    [published.log, log?.origin],
  ];
  return (
    <>
      <section className="certificate" aria-label={published.certificate}>
        <h3>{title}</h3>
        <AiLabel ai={facts.ai} words={nameLevel(facts)} source={describeSource(facts)} />
        <p>{describeMaking(facts)}</p>
        <RecordLine facts={facts} />
        <p>
          {isVerified
            ? published.certified(proof.records, formatInstant(new Date().toISOString()))
            : published.uncertified}
        </p>
        <dl className="public-facts">
          {rows.map(([name, value]) =>
            value === undefined ? null : (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <code>{value}</code>
                </dd>
              </div>
            ),
          )}
        </dl>
        <div className="certificate-link">
          <QrCode text={link} label={published.qr} />
          <div>
            <p>{history.provable ? published.scan : published.scanUnprovable}</p>
            <code>{link}</code>
            <LocalNote />
          </div>
        </div>
      </section>
      <div className="row">
        <Button kind="primary" onClick={() => window.print()}>
          {published.print}
        </Button>
      </div>
    </>
  );
}
