import type {
  RotationRequest,
  Webhook,
  WebhookDelivery,
  WebhookPatch,
  WebhookRequest,
  WebhookWithSecret,
} from '@colophon/model';
import { path } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';
import type { SecretCallOptions } from './api-keys.js';

/** Endpoints that receive the events of a project. All calls require at least the role `developer`. */
export interface Webhooks {
  /**
   * Returns the webhooks of a project, oldest first, without their secrets. `missed` counts events that the service did
   * not store, because too many deliveries of the webhook were pending. Throws `ApiError`: `NotFound`, `Forbidden`.
   *
   * @example
   * (await management.webhooks.list(projectId)).length; // => 0
   */
  list(projectId: string, options?: CallOptions): Promise<Webhook[]>;
  /**
   * Creates a webhook for future events. Only this response contains the secret that signs the webhook requests. If the
   * response is lost, the client does not repeat the call. Look for the webhook in the list. Throws `ApiError`:
   * `NotFound`, `Forbidden`, `Conflict` when the project has 20 webhooks, `ValidationError` for an endpoint that is not
   * an https address of the public internet.
   *
   * @example
   * const url = 'https://example.org/hooks/colophon';
   * const { secret } = await management.webhooks.create(projectId, { url, events: ['action.recorded'] });
   * secret.startsWith('whsec_'); // => true
   */
  create(projectId: string, webhook: WebhookRequest, options?: SecretCallOptions): Promise<WebhookWithSecret>;
  /**
   * Changes the fields of a webhook that are in `patch`. `disabled` stops or resumes deliveries. Throws `ApiError`:
   * `NotFound`, `Forbidden`, `ValidationError`.
   *
   * @example
   * const { id } = await management.webhooks.create(projectId, { url: 'https://example.org/a' });
   * const { disabledReason } = await management.webhooks.update(projectId, id, { disabled: true });
   * disabledReason; // => 'asked'
   */
  update(projectId: string, id: string, patch: WebhookPatch, options?: CallOptions): Promise<Webhook>;
  /**
   * Creates a new secret for a webhook. For `overlapHours` (0 to 720, default 24), requests have signatures with the
   * old and the new secret. Throws `ApiError`: `NotFound`, `Forbidden`.
   *
   * @example
   * const { id, secret } = await management.webhooks.create(projectId, { url: 'https://example.org/b' });
   * (await management.webhooks.rotate(projectId, id)).secret === secret; // => false
   */
  rotate(
    projectId: string,
    id: string,
    rotation?: RotationRequest,
    options?: SecretCallOptions,
  ): Promise<WebhookWithSecret>;
  /**
   * Sends one event of the type `ping`. The service does not repeat a failed delivery. Throws `ApiError`: `NotFound`,
   * `Forbidden`, and `Conflict` when the webhook has too many pending deliveries.
   *
   * @example
   * const { id } = await management.webhooks.create(projectId, { url: 'https://hooks.invalid/c' });
   * const { messageId } = await management.webhooks.ping(projectId, id);
   * (await management.webhooks.deliveries(projectId, id))[0]?.id === messageId; // => true
   */
  ping(projectId: string, id: string, options?: CallOptions): Promise<{ messageId: string }>;
  /**
   * Returns the 100 newest deliveries to a webhook with their results. Throws `ApiError`: `NotFound`, `Forbidden`.
   *
   * @example
   * const { id } = await management.webhooks.create(projectId, { url: 'https://example.org/d' });
   * await management.webhooks.deliveries(projectId, id); // => []
   */
  deliveries(projectId: string, id: string, options?: CallOptions): Promise<WebhookDelivery[]>;
  /**
   * Deletes a webhook. The endpoint gets no more requests. Throws `ApiError`: `NotFound`, `Forbidden`.
   *
   * @example
   * const { id } = await management.webhooks.create(projectId, { url: 'https://example.org/e' });
   * await management.webhooks.delete(projectId, id); // => { deleted: true }
   */
  delete(projectId: string, id: string, options?: CallOptions): Promise<{ deleted: true }>;
}

export function createWebhooks({ ask }: Transport): Webhooks {
  const one = (projectId: string, id: string) => path`/projects/${projectId}/webhooks/${id}`;
  return {
    list: (projectId, options) =>
      ask({ method: 'GET', path: path`/projects/${projectId}/webhooks` }, options),
    create: (projectId, json, options) =>
      ask(
        { method: 'POST', path: path`/projects/${projectId}/webhooks`, json, repetition: 'never' },
        options,
      ),
    update: (projectId, id, json, options) =>
      ask({ method: 'PATCH', path: one(projectId, id), json }, options),
    rotate: (projectId, id, json = {}, options) =>
      ask({ method: 'POST', path: `${one(projectId, id)}/rotate`, json, repetition: 'never' }, options),
    ping: (projectId, id, options) =>
      ask({ method: 'POST', path: `${one(projectId, id)}/ping`, json: {} }, options),
    deliveries: (projectId, id, options) =>
      ask({ method: 'GET', path: `${one(projectId, id)}/deliveries` }, options),
    delete: (projectId, id, options) => ask({ method: 'DELETE', path: one(projectId, id) }, options),
  };
}
