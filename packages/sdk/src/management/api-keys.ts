import type { ApiKey, ApiKeyRequest, CreatedApiKey, KeyVerdict, RotationRequest } from '@colophon/model';
import { path } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/**
 * Options of a call that returns a secret. They have no `idempotencyKey`: the service does not store the response, so a
 * repeated call cannot return it.
 */
export type SecretCallOptions = Omit<CallOptions, 'idempotencyKey'>;

/** API keys of projects. */
export interface ApiKeys {
  /**
   * Returns the keys of a project without their secrets, newest first. Requires the role `developer`. Throws
   * `ApiError`: `NotFound`, `Forbidden`.
   *
   * @example
   * (await management.apiKeys.list(projectId)).length; // => 0
   */
  list(projectId: string, options?: CallOptions): Promise<ApiKey[]>;
  /**
   * Creates a key. Only this response contains the secret. The default permission is `read`. With `entityId`, the key
   * acts only for that entity. If the response is lost, the client does not repeat the call. Look for the key in the
   * list. Requires the role `developer`, or the role `admin` for a key with the permission `admin`. Throws `ApiError`:
   * `NotFound`, `Forbidden`, `ValidationError`.
   *
   * @example
   * const { key, prefix } = await management.apiKeys.create({ projectId, name: 'website', permissions: 'write' });
   * key.startsWith(prefix); // => true
   */
  create(key: ApiKeyRequest, options?: SecretCallOptions): Promise<CreatedApiKey>;
  /**
   * Revokes a key. It becomes invalid immediately on the node of the request, and within a second on all other
   * nodes. Throws `ApiError`: `NotFound`, `Conflict` for a revoked key, `Forbidden`.
   *
   * @example
   * const { id } = await management.apiKeys.create({ projectId, name: 'lost' });
   * await management.apiKeys.revoke(id); // => { revoked: true }
   */
  revoke(id: string, options?: CallOptions): Promise<{ revoked: true }>;
  /**
   * Creates a key that replaces an existing key. The old key stays valid for `overlapHours`, 0 to 720, default 24.
   * Throws `ApiError`: `NotFound`, `Conflict` for a revoked key, `Forbidden`.
   *
   * @example
   * const { id, name } = await management.apiKeys.create({ projectId, name: 'old' });
   * (await management.apiKeys.rotate(id, { overlapHours: 1 })).name === name; // => true
   */
  rotate(id: string, rotation?: RotationRequest, options?: SecretCallOptions): Promise<CreatedApiKey>;
  /**
   * Validates a key. For an invalid key, returns `valid: false` with the reason.
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
