import { useCallback } from 'react';
import { formatList } from '../languages/formats.js';
import { Link } from '../shell/navigation.js';
import { openClient, useProject } from '../shell/project.js';
import { useSession } from '../shell/session.js';
import { useLoaded } from '../shell/use-loaded.js';
import { publish } from '../strings/publish.js';
import { Notice } from '../ui/notice.js';

const { notFindable: text } = publish;

/**
 * Names settings that would let people who have only a file find its history. Shown only to people who may change them.
 * Shows nothing with a project key, which cannot read them.
 */
export function NotFindable() {
  const { page } = useSession();
  const { chosen } = useProject();
  const load = useCallback(async () => {
    if (chosen === undefined) return undefined;
    const [{ publicDetector, publicChecks }, { isAvailable }] = await Promise.all([
      page.management.projects.get(chosen.id),
      openClient().published.detector(),
    ]);
    return { id: chosen.id, hidden: { detector: isAvailable && !publicDetector, checks: !publicChecks } };
  }, [page, chosen]);
  const { value } = useLoaded(load);
  // Just after a change of the project, `value` belongs to the previous one.
  if (value === undefined || value.id !== chosen?.id) return null;
  const { id, hidden } = value;
  const off = (['detector', 'checks'] as const).filter((one) => hidden[one]).map((one) => text[one]);
  if (off.length === 0) return null;
  return (
    <Notice kind="info">
      <p>
        {text.off(formatList(off))} {hidden.checks ? text.unpublished : ''}{' '}
        <Link to={`/manage/projects/${id}?tab=settings`}>{text.turnOn}</Link>
      </p>
    </Notice>
  );
}
