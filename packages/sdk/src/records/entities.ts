import type { Entity, EntityPatch, EntityRequest, EntityRole, Receipt } from '@colophon/model';
import { eachOf, type PageQuery } from '../pages.js';
import { path } from '../transport/address.js';
import type { CallOptions, RecordOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** An entity, and whether this call created it. */
export interface EntityAnswer {
  id: string;
  created: boolean;
  entity: Entity;
  /** The receipt of the newest version of the entity. Present when the call requested it (`prefer`). */
  receipt?: Receipt;
}

/** A changed entity. `receipt` is present when the call requested it (`prefer`). */
export type ChangedEntity = Entity & { receipt?: Receipt };

/** The result of an erasure of personal data. */
export interface ErasureAnswer {
  entityId: string;
  /** Time of the first erasure of the entity itself. */
  erasedAt: string;
  /** Number of records from which this call erased data. */
  erased: { entities: number; actions: number; attributions: number };
}

/** Filters of a list of entities. */
export interface EntityQuery extends PageQuery {
  /** `human`, `ai`, `organization` or `ext:<ns>`. */
  role?: EntityRole;
  /** The complete name. Parts of a name do not match. */
  name?: string;
}

/** A page of entities, newest first. `count` is the number of entities on this page. */
export interface EntityPage {
  entities: Entity[];
  count: number;
  nextCursor: string | null;
}

/** People, AI systems and organisations. */
export interface Entities {
  /**
   * Creates an entity, or returns the existing one with the same values. If the request has a name and no `id`, the
   * service derives the id from role, name, public key and wallet, so the same call returns the same entity. If the
   * request has neither, each call creates a new entity.
   *
   * Throws `ApiError`: `Conflict` when the sent values differ from the stored ones, `ValidationError`, `Forbidden`.
   *
   * @example
   * const { entity } = await colophon.entities.create({ id: 'studio:ann', role: 'human', name: 'Ann' });
   * entity.name; // => 'Ann'
   */
  create(entity: EntityRequest, options?: RecordOptions): Promise<EntityAnswer>;
  /**
   * Reads an entity. Throws `ApiError` `NotFound`.
   *
   * @example
   * (await colophon.entities.get('studio:ann')).role; // => 'human'
   */
  get(id: string, options?: CallOptions): Promise<Entity>;
  /**
   * Changes name and metadata. Null removes a value. Wallet and public key can be set only once.
   *
   * Throws `ApiError`: `NotFound`, `Conflict` for a wallet or key that differs from the stored one, `ValidationError`.
   *
   * @example
   * (await colophon.entities.update('studio:ann', { name: 'Ann Lee' })).name; // => 'Ann Lee'
   */
  update(id: string, patch: EntityPatch, options?: RecordOptions): Promise<ChangedEntity>;
  /**
   * Erases name, wallet and metadata of an entity, the prompts of its actions and the notes of its attributions. Every
   * proof stays valid. Needs a key with the permission `admin`. A repeated call also erases data that was recorded
   * after the first call.
   *
   * Throws `ApiError`: `NotFound`, `Forbidden`, `Conflict` for records that no longer match their digest.
   *
   * @example
   * await colophon.entities.create({ id: 'studio:former', role: 'human', name: 'Former' });
   * (await colophon.entities.erasePersonalData('studio:former')).erased; // => { entities: 1, actions: 0, attributions: 0 }
   */
  erasePersonalData(id: string, options?: CallOptions): Promise<ErasureAnswer>;
  /**
   * Returns one page of entities, newest first. Throws `ApiError` `InvalidField` for a cursor of another list.
   *
   * @example
   * const { entities, nextCursor } = await colophon.entities.list({ role: 'human', limit: 1 });
   * entities.length; // => 1
   */
  list(query?: EntityQuery, options?: CallOptions): Promise<EntityPage>;
  /**
   * Yields all entities that match the query, newest first. Requests one page at a time.
   *
   * @example
   * const names = [];
   * for await (const entity of colophon.entities.listAll({ role: 'human' })) names.push(entity.name);
   * names.includes('Ann Lee'); // => true
   */
  listAll(query?: EntityQuery, options?: CallOptions): AsyncGenerator<Entity, void, undefined>;
}

export function createEntities({ ask }: Transport): Entities {
  const list: Entities['list'] = (query = {}, options) =>
    ask({ method: 'GET', path: '/v1/entities', query: { ...query } }, options);
  return {
    create: (json, options) => ask({ method: 'POST', path: '/v1/entity', json }, options),
    get: (id, options) => ask({ method: 'GET', path: path`/v1/entity/${id}` }, options),
    update: (id, json, options) => ask({ method: 'PATCH', path: path`/v1/entity/${id}`, json }, options),
    list,
    listAll: (query = {}, options) =>
      eachOf(
        query,
        (page) => list({ ...query, ...page }, options),
        ({ entities }) => entities,
      ),
    erasePersonalData: (id, options) =>
      ask({ method: 'DELETE', path: path`/v1/entity/${id}/personal-data`, repetition: 'harmless' }, options),
  };
}
