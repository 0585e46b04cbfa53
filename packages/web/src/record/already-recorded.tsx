import { Link } from '../shell/navigation.js';
import { record } from '../strings/record.js';
import { Notice } from '../ui/notice.js';
import type { Found } from './use-recorded.js';

const text = record.already;

/**
 * Warns that the project already has a record of this file. The entries of the form then extend the history of the
 * file.
 */
export function AlreadyRecorded({ found: { cid, isRecorded, fault } }: { found: Found }) {
  if (fault !== undefined) return <p className="quiet">{text.unknown(fault)}</p>;
  if (!isRecorded) return null;
  return (
    <Notice kind="warning" title={text.title}>
      <p>{text.means}</p>
      <Link to={`/explore/${cid}`}>{record.done.history}</Link>
    </Notice>
  );
}
