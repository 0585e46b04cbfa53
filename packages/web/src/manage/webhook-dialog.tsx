import type { Webhook, WebhookDelivery } from '@colophon/model';
import type { PageClient } from '@colophon/sdk';
import { useCallback } from 'react';
import { useLoaded } from '../shell/use-loaded.js';
import { webhooks as texts } from '../strings/webhooks.js';
import { Dialog } from '../ui/dialog.js';
import { Instant } from '../ui/instant.js';
import { Form, Show, Table } from './parts.js';

export interface WebhookOperation {
  kind: 'deliveries' | 'delete';
  webhook: Webhook;
}

interface OfWebhook {
  page: PageClient;
  projectId: string;
  webhook: Webhook;
}

export function WebhookDialog({
  page,
  projectId,
  operation,
  onDone,
  onClose,
}: Pick<OfWebhook, 'page' | 'projectId'> & {
  operation: WebhookOperation | undefined;
  onDone: () => void;
  onClose: () => void;
}) {
  const title = operation?.kind === 'delete' ? texts.removeTitle : texts.deliveries;
  return (
    <Dialog title={title} isOpen={operation !== undefined} onClose={onClose}>
      {operation?.kind === 'deliveries' ? (
        <Deliveries page={page} projectId={projectId} webhook={operation.webhook} />
      ) : null}
      {operation?.kind === 'delete' ? (
        <Delete page={page} projectId={projectId} webhook={operation.webhook} onDone={onDone} />
      ) : null}
    </Dialog>
  );
}

function Deliveries({ page, projectId, webhook: { id, url } }: OfWebhook) {
  const load = useCallback(() => page.management.webhooks.deliveries(projectId, id), [page, projectId, id]);
  return (
    <Show loaded={useLoaded(load)}>
      {(list) =>
        list.length === 0 ? (
          <p>{texts.noDeliveries}</p>
        ) : (
          <Table
            label={texts.deliveriesOf(url)}
            head={[texts.when, texts.event, texts.result, texts.attempts]}
          >
            {list.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} />
            ))}
          </Table>
        )
      }
    </Show>
  );
}

function DeliveryRow({
  delivery: { event, state, status, error, attempts, createdAt },
}: {
  delivery: WebhookDelivery;
}) {
  const reason = status === null ? error : String(status);
  return (
    <tr>
      <td>
        <Instant at={createdAt} />
      </td>
      <td>{texts.names[event] ?? event}</td>
      <td>
        {texts.results[state]}
        {reason === null ? null : <div className="hint">{reason}</div>}
      </td>
      <td>{attempts}</td>
    </tr>
  );
}

function Delete({ page, projectId, webhook: { id, url }, onDone }: OfWebhook & { onDone: () => void }) {
  const remove = async () => {
    await page.management.webhooks.delete(projectId, id);
    onDone();
  };
  return (
    <Form submit={texts.removeOf(url)} kind="danger" onSubmit={remove}>
      <p>{texts.removeHelp(url)}</p>
    </Form>
  );
}
