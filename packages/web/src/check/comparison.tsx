import { useState } from 'react';
import { formatSize } from '../languages/formats.js';
import { useProject } from '../shell/project.js';
import { check } from '../strings/check.js';
import { FileDrop } from '../ui/file-drop.js';
import { Notice } from '../ui/notice.js';
import type { Findings } from './findings.js';
import { useFindings } from './use-findings.js';
import { VerdictCard } from './verdict-card.js';

const text = check.compare;

/**
 * Lets the user choose a second file, and shows its verdict and whether the bytes are the same. A comparison with a
 * `second` file stands above the first file, so its headings have higher levels.
 */
export function Comparison({ findings, second }: { findings: Findings; second: File | undefined }) {
  const [chosen, setChosen] = useState(second);
  const isAbove = second !== undefined;
  return (
    <section className="stack" aria-label={text.title}>
      {isAbove ? <h2>{text.title}</h2> : <h3>{text.title}</h3>}
      <FileDrop title={text.drop} hint={check.stays} onFiles={([file]) => setChosen(file)} />
      {chosen === undefined ? null : <Second file={chosen} first={findings} isAbove={isAbove} />}
    </section>
  );
}

function Second({ file, first, isAbove }: { file: File; first: Findings; isAbove: boolean }) {
  const { client } = useProject();
  const { findings, share, fault } = useFindings({ file }, client);
  const [one, other] = [first.digests?.contentDigest, findings.digests?.contentDigest];
  return (
    <>
      <div role="status">
        {one === undefined || other === undefined ? null : (
          <Notice kind={one === other ? 'good' : 'warning'} title={one === other ? text.same : text.differ} />
        )}
      </div>
      <VerdictCard
        file={file}
        title={
          <div>
            {isAbove ? <h3>{file.name}</h3> : <h4>{file.name}</h4>}
            <p className="quiet">{formatSize(file.size)}</p>
          </div>
        }
        findings={findings}
        progress={share}
        fault={fault}
      />
    </>
  );
}
