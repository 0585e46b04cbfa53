import type { ApiKey, ApiKeyRequest, CreatedApiKey, KeyVerdict, RotationRequest } from '@colophon/model';
import { path } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** What a call that makes a key may ask for: its answer is a secret, which is never kept for a repetition. */
export type SecretCallOptions = Omit<CallOptions, 'idempotencyKey'>;

/** Keys of projects. */
export interface ApiKeys {
  /**
   * The keys of a project, newest first, without their secrets. Throws `ApiError` `NotFound`.
   *
   * @example
   * (await management.apiKeys.list(projectId)).length; // => 0
   */
  list(projectId: string, options?: CallOptions): Promise<ApiKey[]>;
  /**
   * Makes a key, which is shown now and never again; it may `read` unless said otherwise, and acts for
   * the one entity `entityId` alone where that is given. A lost answer is not asked for
   * again: look at the list. For developers; a key that may `admin` for admins. Throws `ApiError`: `NotFound`,
   * `Forbidden`, `ValidationError`.
   *
   * @example
   * const { key, prefix } = await management.apiKeys.create({ projectId, name: 'website', permissions: 'write' });
   * key.startsWith(prefix); // => true
   */
  create(key: ApiKeyRequest, options?: SecretCallOptions): Promise<CreatedApiKey>;
  /**
   * Revokes a key: at once here, within a second on every node. Throws `ApiError`: `NotFound`, `Conflict` for a revoked
   * one, `Forbidden`.
   *
   * @example
   * const { id } = await management.apiKeys.create({ projectId, name: 'lost' });
   * await management.apiKeys.revoke(id); // => { revoked: true }
   */
  revoke(id: string, options?: CallOptions): Promise<{ revoked: true }>;
  /**
   * Makes a key in the place of another, which lives on for `overlapHours`, 0 to 720, 24 unless given. Throws `ApiError`:
   * `NotFound`, `Conflict` for a revoked one, `Forbidden`.
   *
   * @example
   * const { id, name } = await management.apiKeys.create({ projectId, name: 'old' });
   * (await management.apiKeys.rotate(id, { overlapHours: 1 })).name === name; // => true
   */
  rotate(id: string, rotation?: RotationRequest, options?: SecretCallOptions): Promise<CreatedApiKey>;
  /**
   * What a key stands for; `valid: false` and why for one that opens nothing.
   *
   * @example
   * await management.apiKeys.validate('no key'); // => { valid: false, reason: 'malformed' }
   */
  validate(key: string, options?: CallOptions): Promise<KeyVerdict>;
}

export function createApiKeys({ ask }: Transport): ApiKeys {
  return {
    list: (projectId, options) => ask({ method: 'GET', path: path`/api-keys/${projectId}` }, options),
    create: (json, options) => ask({ method: 'POST', path: '/api-keys', json, repetition: 'never' }, options),
    revoke: (id, options) => ask({ method: 'DELETE', path: path`/api-keys/${id}` }, options),
    rotate: (id, json = {}, options) =>
      ask({ method: 'POST', path: path`/api-keys/${id}/rotate`, json, repetition: 'never' }, options),
    validate: (key, options) =>
      ask({ method: 'POST', path: '/auth/validate-key', json: { key }, repetition: 'harmless' }, options),
  };
}
