import type { Webhook, WebhookEvent, WebhookWithSecret } from '@colophon/model';
import { useCallback, useState } from 'react';
import { useDoing, useLoaded } from '../shell/use-loaded.js';
import { webhooks as texts } from '../strings/webhooks.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';
import { Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { Notice } from '../ui/notice.js';
import { Check, Fault, Form, Show, Table } from './parts.js';
import type { InProject } from './project-page.js';
import { WebhookDialog, type WebhookOperation } from './webhook-dialog.js';

const EVENTS = [
  'action.recorded',
  'action.anchored',
  'audit.mismatch',
] as const satisfies readonly WebhookEvent[];

export function Webhooks(props: InProject) {
  return props.role === 'viewer' ? <p>{texts.forRole}</p> : <WebhookList {...props} />;
}

function WebhookList({ page, project }: InProject) {
  const load = useCallback(() => page.management.webhooks.list(project.id), [page, project.id]);
  const loaded = useLoaded(load);
  const testing = useDoing();
  const [isTested, setIsTested] = useState(false);
  const [operation, setOperation] = useState<WebhookOperation>();
  const [made, setMade] = useState<WebhookWithSecret>();
  const done = (created?: WebhookWithSecret) => {
    setOperation(undefined);
    setMade(created);
    loaded.reload();
  };
  const test = ({ id }: Webhook) =>
    testing.run(async () => {
      setIsTested(false);
      await page.management.webhooks.ping(project.id, id);
      setIsTested(true);
    });
  return (
    <div className="stack">
      <p>{texts.why}</p>
      <Dialog
        title={texts.created}
        isOpen={made !== undefined}
        confirm={texts.done}
        onClose={() => setMade(undefined)}
      >
        {made === undefined ? null : <SecretOnce secret={made.secret} />}
      </Dialog>
      <WebhookDialog
        page={page}
        projectId={project.id}
        operation={operation}
        onDone={done}
        onClose={() => setOperation(undefined)}
      />
      <Fault of={testing} />
      <div role="status">{isTested ? <Notice kind="good" title={texts.tested} /> : null}</div>
      <Show loaded={loaded}>
        {(list) =>
          list.length === 0 ? (
            <p>{texts.none}</p>
          ) : (
            <Table label={texts.title} head={[texts.url, texts.events, texts.state, '']}>
              {list.map((webhook) => (
                <Row key={webhook.id} webhook={webhook} onTest={test} onOperation={setOperation} />
              ))}
            </Table>
          )
        }
      </Show>
      <NewWebhook page={page} projectId={project.id} onMade={done} />
    </div>
  );
}

function Row({
  webhook,
  onTest,
  onOperation,
}: {
  webhook: Webhook;
  onTest: (webhook: Webhook) => void;
  onOperation: (operation: WebhookOperation) => void;
}) {
  const { url, events, disabledReason, missed } = webhook;
  return (
    <tr className={disabledReason === null ? undefined : 'over'}>
      <td>
        <code>{url}</code>
      </td>
      <td>{events.map((event) => texts.names[event]).join(', ')}</td>
      <td>
        {texts.states[disabledReason ?? 'enabled']}
        {missed === null ? null : <div className="hint">{texts.missed(missed.events)}</div>}
      </td>
      <td className="row-actions">
        <Button kind="quiet" aria-label={texts.testOf(url)} onClick={() => onTest(webhook)}>
          {texts.test}
        </Button>
        <Button
          kind="quiet"
          aria-label={texts.deliveriesOf(url)}
          onClick={() => onOperation({ kind: 'deliveries', webhook })}
        >
          {texts.deliveries}
        </Button>
        <Button
          kind="quiet"
          aria-label={texts.removeOf(url)}
          onClick={() => onOperation({ kind: 'delete', webhook })}
        >
          {texts.remove}
        </Button>
      </td>
    </tr>
  );
}

function NewWebhook({
  page,
  projectId,
  onMade,
}: Pick<InProject, 'page'> & { projectId: string; onMade: (made: WebhookWithSecret) => void }) {
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(EVENTS);
  const create = async () => {
    if (events.length === 0) throw new Error(texts.noEvent);
    onMade(await page.management.webhooks.create(projectId, { url: url.trim(), events: [...events] }));
    setUrl('');
  };
  const toggle = (event: WebhookEvent, isOn: boolean) =>
    setEvents(EVENTS.filter((one) => (one === event ? isOn : events.includes(one))));
  return (
    <section className="card narrow">
      <h2>{texts.make}</h2>
      <Form submit={texts.create} onSubmit={create}>
        <Field
          label={texts.url}
          hint={texts.urlHint}
          type="url"
          required
          spellCheck={false}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <fieldset className="events">
          <legend>{texts.events}</legend>
          {EVENTS.map((event) => (
            <Check
              key={event}
              label={texts.names[event] ?? event}
              isOn={events.includes(event)}
              onChange={(isOn) => toggle(event, isOn)}
            />
          ))}
        </fieldset>
      </Form>
    </section>
  );
}

function SecretOnce({ secret }: { secret: string }) {
  return (
    <>
      <p>{texts.shownOnce}</p>
      <div className="once">
        <CopyText text={secret} label={texts.secret} />
      </div>
    </>
  );
}
