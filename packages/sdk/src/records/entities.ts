import type { Entity, EntityPatch, EntityRequest, EntityRole, Receipt } from '@colophon/model';
import { eachOf, type PageQuery } from '../pages.js';
import { path } from '../transport/address.js';
import type { CallOptions, RecordOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** An entity, and whether this call made it. */
export interface EntityAnswer {
  id: string;
  created: boolean;
  entity: Entity;
  /** Where it is preferred: of the entity as it is now. */
  receipt?: Receipt;
}

/** An entity as it was changed, with its receipt where that is preferred. */
export type ChangedEntity = Entity & { receipt?: Receipt };

/** What became of an entity's personal data. */
export interface ErasureAnswer {
  entityId: string;
  /** When the entity itself was erased: at the first call. */
  erasedAt: string;
  /** Records from which this call took something. */
  erased: { entities: number; actions: number; attributions: number };
}

/** Which entities a list has. */
export interface EntityQuery extends PageQuery {
  /** `human`, `ai`, `organization` or `ext:<ns>`. */
  role?: EntityRole;
  /** The whole name, as it was given. */
  name?: string;
}

/** A page of entities, newest first. `count`: on this page. */
export interface EntityPage {
  entities: Entity[];
  count: number;
  nextCursor: string | null;
}

/** Who: people, AI systems, organisations. */
export interface Entities {
  /**
   * Creates an entity, or retrieves it when it exists with the same values. Without an `id` it derives from role, name,
   * public key and wallet, so that the same call gives the same entity; with neither id nor name a new one is made.
   *
   * Throws `ApiError`: `Conflict` when given fields differ from the stored ones, `ValidationError`, `Forbidden`.
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
   * Changes name and metadata, null removes; gives a wallet or public key to an entity that has none.
   *
   * Throws `ApiError`: `NotFound`, `Conflict` for another wallet or key than the stored one, `ValidationError`.
   *
   * @example
   * (await colophon.entities.update('studio:ann', { name: 'Ann Lee' })).name; // => 'Ann Lee'
   */
  update(id: string, patch: EntityPatch, options?: RecordOptions): Promise<ChangedEntity>;
  /**
   * Erases name, wallet and metadata of an entity, the prompts of its actions and the notes of its attributions; every
   * proof holds. Needs a key with the permission `admin`. Again, it takes what the entity did since.
   *
   * Throws `ApiError`: `NotFound`, `Forbidden`, `Conflict` for records that are not as they were recorded.
   *
   * @example
   * await colophon.entities.create({ id: 'studio:former', role: 'human', name: 'Former' });
   * (await colophon.entities.erasePersonalData('studio:former')).erased; // => { entities: 1, actions: 0, attributions: 0 }
   */
  erasePersonalData(id: string, options?: CallOptions): Promise<ErasureAnswer>;
  /**
   * One page of entities, newest first. Throws `ApiError` `InvalidField` for a cursor of another list.
   *
   * @example
   * const { entities, nextCursor } = await colophon.entities.list({ role: 'human', limit: 1 });
   * entities.length; // => 1
   */
  list(query?: EntityQuery, options?: CallOptions): Promise<EntityPage>;
  /**
   * All entities, newest first, page after page.
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
