import type { ApiKey, Usage } from '@colophon/model';
import { useCallback } from 'react';
import { formatNumber, formatSize } from '../languages/formats.js';
import { useLoaded } from '../shell/use-loaded.js';
import { manage } from '../strings/manage.js';
import { Button } from '../ui/button.js';
import { Instant } from '../ui/instant.js';
import { Show, Table } from './parts.js';
import type { InProject } from './project-page.js';
import { sayDay, UsageBars } from './usage-bars.js';

const { usage: texts } = manage;
const LOGGED = 20;
/** The page lists the keys with the most calls. */
const MAX_KEYS = 20;

export function UsagePart({ page, project, role }: InProject) {
  const load = useCallback(async () => {
    const [usage, { logs }, keys] = await Promise.all([
      page.management.projects.usage(project.id),
      page.management.projects.requestLog(project.id, { limit: LOGGED }),
      role === 'viewer' ? [] : page.management.apiKeys.list(project.id),
    ]);
    return { usage, logs, keys };
  }, [page, project.id, role]);
  const loaded = useLoaded(load);
  return (
    <Show loaded={loaded}>
      {({ usage, logs, keys }) => (
        <div className="stack">
          <div className="row">
            <Button onClick={loaded.reload}>{texts.refresh}</Button>
            <span className="hint">{texts.fresh}</span>
          </div>
          <Figures usage={usage} />
          <p className="hint">{texts.counted}</p>
          <section className="card">
            <h2>{texts.byDay}</h2>
            <UsageBars days={usage.byDay} />
            <details>
              <summary>{texts.asTable}</summary>
              <Table label={texts.byDay} head={[texts.day, texts.good, texts.failed]}>
                {usage.byDay.map(({ date, total, success }) => (
                  <tr key={date}>
                    <td>{sayDay(date)}</td>
                    <td>{success}</td>
                    <td>{total - success}</td>
                  </tr>
                ))}
              </Table>
            </details>
          </section>
          <ByKey usage={usage} keys={keys} />
          <section className="card">
            <h2>{texts.log}</h2>
            {logs.length === 0 ? <p>{texts.none}</p> : null}
            {logs.length === 0 ? null : (
              <Table label={texts.log} stacks head={[texts.when, texts.endpoint, texts.status]}>
                {logs.map(({ id, endpoint, statusCode, timestamp }) => (
                  <tr key={id}>
                    <td>
                      <Instant at={timestamp} />
                    </td>
                    <td>
                      <code>{endpoint}</code>
                    </td>
                    <td data-name={texts.status}>{statusCode}</td>
                  </tr>
                ))}
              </Table>
            )}
          </section>
        </div>
      )}
    </Show>
  );
}

/** Only `developer` and higher roles can read the names of keys. */
function ByKey({ usage, keys }: { usage: Usage; keys: readonly ApiKey[] }) {
  const most = [...usage.byKey].sort((a, b) => b.calls - a.calls).slice(0, MAX_KEYS);
  const nameOf = (keyId: string) =>
    texts.keyNames[keyId] ?? keys.find(({ id }) => id === keyId)?.name ?? `${keyId.slice(0, 15)}…`;
  if (most.length === 0) return null;
  return (
    <section className="card">
      <h2>{texts.byKey}</h2>
      <Table label={texts.byKey} stacks head={[texts.key, texts.calls, texts.actions, texts.stored]}>
        {most.map(({ keyId, calls, actionsRecorded, bytesStored }) => (
          <tr key={keyId}>
            <td>{nameOf(keyId)}</td>
            <td data-name={texts.calls}>{formatNumber(calls)}</td>
            <td data-name={texts.actions}>{formatNumber(actionsRecorded)}</td>
            <td data-name={texts.stored}>{formatSize(bytesStored)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Figures({ usage: { summary, bytesStored, actionsRecorded } }: { usage: Usage }) {
  const figures = [
    [texts.calls, formatNumber(summary.totalCalls)],
    [texts.success, `${Math.floor(summary.successRate * 10) / 10} %`],
    [texts.stored, formatSize(bytesStored)],
    [texts.actions, formatNumber(actionsRecorded)],
  ];
  return (
    <dl className="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
