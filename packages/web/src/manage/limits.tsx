import type { Usage } from '@colophon/model';
import { useCallback } from 'react';
import { formatNumber, formatPercent, formatSize } from '../languages/formats.js';
import { useLoaded } from '../shell/use-loaded.js';
import { manage } from '../strings/manage.js';
import { Show, Table } from './parts.js';
import type { InProject } from './project-page.js';

const { limits: texts } = manage;
type Quota = Usage['quota'][keyof Usage['quota']];

/** Only the operator can change the limits. */
export function Limits({ page, project }: InProject) {
  const load = useCallback(() => page.management.projects.usage(project.id), [page, project.id]);
  const { concurrentUploads } = project.limits;
  return (
    <div className="stack">
      <p>{texts.who}</p>
      <p className="hint">{texts.counted}</p>
      <Show loaded={useLoaded(load)}>
        {({ quota: { storedBytes, records, requestsThisMonth } }) => (
          <Table label={texts.title} stacks head={[texts.limited, texts.used, texts.limit, texts.share]}>
            <Row name={texts.storedBytes} of={storedBytes} format={formatSize} />
            <Row name={texts.records} of={records} format={formatNumber} />
            <Row name={texts.requests} of={requestsThisMonth} format={formatNumber} />
            <tr>
              <td>{texts.uploads}</td>
              <td data-name={texts.used}>{texts.notCounted}</td>
              <td data-name={texts.limit}>
                {concurrentUploads === null ? texts.ofService : formatNumber(concurrentUploads)}
              </td>
              <td />
            </tr>
          </Table>
        )}
      </Show>
    </div>
  );
}

function Row({
  name,
  of: { used, limit },
  format,
}: {
  name: string;
  of: Quota;
  format: (value: number) => string;
}) {
  const share = limit === null ? undefined : Math.min(1, limit === 0 ? 1 : used / limit);
  return (
    <tr>
      <td>{name}</td>
      <td data-name={texts.used}>{format(used)}</td>
      <td data-name={texts.limit}>{limit === null ? texts.unlimited : format(limit)}</td>
      <td className="share">
        {share === undefined ? null : (
          <>
            <progress aria-label={`${name}: ${texts.share}`} max={1} value={share} />
            <span>{share === 1 ? texts.reached : formatPercent(share)}</span>
          </>
        )}
      </td>
    </tr>
  );
}
