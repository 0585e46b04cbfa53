import type { ApiKey, CreatedApiKey, Entity } from '@colophon/model';
import { useCallback, useMemo, useState } from 'react';
import { useLoaded } from '../shell/use-loaded.js';
import { usePeople } from '../shell/use-people.js';
import { manage } from '../strings/manage.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Instant } from '../ui/instant.js';
import { KeyDialog, type KeyOperation } from './key-dialog.js';
import { NewKey } from './new-key.js';
import { Show, Table } from './parts.js';
import type { InProject } from './project-page.js';
import { sayEntity } from './say-entity.js';
import { ShownOnce } from './shown-once.js';
import { stateOfKey } from './state-of-key.js';

const { keys: texts } = manage;

export function Keys(props: InProject) {
  return props.role === 'viewer' ? <p>{texts.forRole}</p> : <KeyList {...props} />;
}

function KeyList(props: InProject) {
  const { page, project } = props;
  const loaded = useLoaded(useCallback(() => page.management.apiKeys.list(project.id), [page, project.id]));
  const people = usePeople(useMemo(() => page.project(project.id), [page, project.id]));
  const [operation, setOperation] = useState<KeyOperation>();
  const [made, setMade] = useState<CreatedApiKey>();
  const done = (created?: CreatedApiKey) => {
    setOperation(undefined);
    setMade(created);
    loaded.reload();
  };
  return (
    <div className="stack">
      <Dialog
        title={texts.created}
        isOpen={made !== undefined}
        confirm={texts.done}
        onClose={() => setMade(undefined)}
      >
        {made === undefined ? null : (
          <ShownOnce page={page} made={made} people={people} onDone={() => setMade(undefined)} />
        )}
      </Dialog>
      <KeyDialog page={page} operation={operation} onDone={done} onClose={() => setOperation(undefined)} />
      <Show loaded={loaded}>
        {(list) =>
          list.length === 0 ? (
            <p>{texts.none}</p>
          ) : (
            <Table
              label={manage.project.keys}
              stacks
              head={[
                texts.name,
                texts.beginning,
                texts.permissions,
                texts.lastUsed,
                texts.expires,
                texts.state,
                '',
              ]}
            >
              {list.map((key) => (
                <Row key={key.id} apiKey={key} people={people} onOperation={setOperation} />
              ))}
            </Table>
          )
        }
      </Show>
      <NewKey {...props} people={people} onMade={done} />
    </div>
  );
}

function Row({
  apiKey: key,
  people,
  onOperation,
}: {
  apiKey: ApiKey;
  people: readonly Entity[];
  onOperation: (operation: KeyOperation) => void;
}) {
  const state = stateOfKey(key, Date.now());
  return (
    <tr className={state === 'live' ? undefined : 'over'}>
      <td>
        {key.name}
        {key.entityId === null ? null : (
          <div className="hint">{texts.bound(sayEntity(key.entityId, people))}</div>
        )}
      </td>
      <td data-name={texts.beginning}>
        <code>{key.prefix}…</code>
      </td>
      <td data-name={texts.permissions}>{texts.levels[key.permissions]}</td>
      <td data-name={texts.lastUsed}>
        {key.lastUsedAt === null ? texts.never : <Instant at={key.lastUsedAt} />}
      </td>
      <td data-name={texts.expires}>
        {key.expiresAt === null ? texts.notAtAll : <Instant at={key.expiresAt} />}
      </td>
      <td data-name={texts.state}>{texts[state]}</td>
      <td className="row-actions">
        {state === 'live' ? (
          <>
            <Button
              kind="quiet"
              aria-label={texts.rotateOf(key.name)}
              onClick={() => onOperation({ kind: 'rotate', key })}
            >
              {texts.rotate}
            </Button>
            <Button
              kind="quiet"
              aria-label={texts.revokeOf(key.name)}
              onClick={() => onOperation({ kind: 'revoke', key })}
            >
              {texts.revoke}
            </Button>
          </>
        ) : null}
      </td>
    </tr>
  );
}
