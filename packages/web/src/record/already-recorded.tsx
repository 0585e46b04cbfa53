import { correctionPath } from '../shell/correction.js';
import { Link } from '../shell/navigation.js';
import { record } from '../strings/record.js';
import { Notice } from '../ui/notice.js';
import type { Found } from './use-recorded.js';

const text = record.already;

/** `addsMaker`: the entries add a further maker. */
export function AlreadyRecorded({
  found: { cid = '', isRecorded, stepId, fault },
  addsMaker,
}: {
  found: Found;
  addsMaker: boolean;
}) {
  if (fault !== undefined) return <p className="quiet">{text.unknown(fault)}</p>;
  if (!isRecorded) return null;
  return (
    <Notice kind="warning" title={text.title}>
      <p>{text.means}</p>
      <p>{addsMaker ? text.maker : text.step}</p>
      <p className="row">
        {stepId === undefined ? null : <Link to={correctionPath(cid, stepId)}>{text.correct}</Link>}
        <Link to={`/explore/${cid}`}>{record.done.history}</Link>
      </p>
    </Notice>
  );
}
