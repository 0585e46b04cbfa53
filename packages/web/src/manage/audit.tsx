import type { AuditEntry } from '@colophon/model';
import { useEffect, useState } from 'react';
import { nameUser } from '../shell/name-user.js';
import { useDoing } from '../shell/use-loaded.js';
import { manage } from '../strings/manage.js';
import { Button } from '../ui/button.js';
import { Instant } from '../ui/instant.js';
import type { InOrg } from './org-page.js';
import { Fault, Table } from './parts.js';
import { sayDetails } from './say-details.js';

const { audit: texts } = manage;
const PAGE = 25;

export function Audit({ page, org }: InOrg) {
  const [entries, setEntries] = useState<AuditEntry[]>();
  const [cursor, setCursor] = useState<string | null>(null);
  const doing = useDoing();
  const load = (from: string | null) =>
    doing.run(async () => {
      const query = { limit: PAGE, ...(from === null ? {} : { cursor: from }) };
      const got = await page.management.orgs.audit(org.slug, query);
      setEntries((before) => [...(from === null ? [] : (before ?? [])), ...got.entries]);
      setCursor(got.nextCursor);
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first page loads once, and the others on a click
  useEffect(() => void load(null), []);
  // Omit the column of addresses if all its cells would be empty.
  const hasAddress = entries?.some(({ address }) => address !== null) ?? false;
  return (
    <div className="stack">
      <Fault of={doing} />
      {entries === undefined ? <p className="quiet">{manage.loading}</p> : null}
      {entries?.length === 0 ? <p>{texts.none}</p> : null}
      {entries === undefined || entries.length === 0 ? null : (
        <Table
          label={manage.org.audit}
          stacks
          head={[texts.when, texts.who, texts.what, texts.details, ...(hasAddress ? [texts.from] : [])]}
        >
          {entries.map((entry) => (
            <Row key={entry.id} entry={entry} hasAddress={hasAddress} />
          ))}
        </Table>
      )}
      {cursor === null ? null : (
        <div className="row">
          <Button onClick={() => load(cursor)} disabled={doing.isBusy}>
            {texts.more}
          </Button>
        </div>
      )}
    </div>
  );
}

function Row({
  entry: { at, userId, action, target, details, address },
  hasAddress,
}: {
  entry: AuditEntry;
  hasAddress: boolean;
}) {
  return (
    <tr>
      <td>
        <Instant at={at} />
      </td>
      <td data-name={texts.who}>{nameUser({ id: userId, name: null })}</td>
      <td>{texts.actions[action] ?? action}</td>
      <td>{sayDetails(details) || <code>{target}</code>}</td>
      {hasAddress ? <td data-name={texts.from}>{address}</td> : null}
    </tr>
  );
}
