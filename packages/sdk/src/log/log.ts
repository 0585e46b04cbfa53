import { formatTilePath, type KeyHistory, type LogEntry, type Tile } from '@colophon/model';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** The name, key and size of a project's log. */
export interface LogDescription {
  origin: string;
  /** `<origin>+<key id>+<base64>`, the input of `parseTrustedLog` (`@colophon/model`). */
  verifierKey: string;
  /** Ed25519 public key as 64 hex digits. */
  publicKey: string;
  /** Number of leaves. */
  size: number;
}

/** The proof that the tree of `to` leaves begins with the tree of `from` leaves. Hashes are in base64. */
export interface ConsistencyProof {
  from: number;
  to: number;
  consistencyPath: string[];
}

/** The leaf, by its index or the id of its record, and the size of the tree. Default of `size`: the current size. */
export type InclusionQuery = ({ leafIndex: number } | { recordId: string }) & { size?: number };

/** The project's append-only log. */
export interface Log {
  /**
   * Returns the name, key and size of the log.
   *
   * @example
   * const { verifierKey, origin } = await colophon.log.get();
   * verifierKey.startsWith(`${origin}+`); // => true
   */
  get(options?: CallOptions): Promise<LogDescription>;
  /**
   * Returns all keys that have signed the log, and the hand-overs from each key to the next. Verify the result with
   * `verifyKeyHistory` (`@colophon/model`) and a key that you trust.
   *
   * @example
   * const { keys } = await colophon.log.keys();
   * keys.at(-1).verifierKey === (await colophon.log.get()).verifierKey; // => true
   */
  keys(options?: CallOptions): Promise<KeyHistory>;
  /**
   * Returns the signed state of the log (C2SP tlog-checkpoint). It covers every record that the service has
   * acknowledged. Parse it with `parseCheckpoint` (`@colophon/model`).
   *
   * @example
   * const { origin } = await colophon.log.get();
   * (await colophon.log.checkpoint()).split('\n')[0] === origin; // => true
   */
  checkpoint(options?: CallOptions): Promise<string>;
  /**
   * Returns the proof that the log contains a leaf (RFC 9162 §2.1.3). `recordId` is the id of an action, attribution or
   * entity. Throws `ApiError`: `NotFound`, `InvalidField`.
   *
   * @example
   * const { actionId } = await colophon.actions.record({ performedBy: 'studio:ann' });
   * (await colophon.log.inclusion({ recordId: actionId })).leafIndex > 0; // => true
   */
  inclusion(query: InclusionQuery, options?: CallOptions): Promise<LogEntry>;
  /**
   * Returns the proof that the log only appended leaves from one size to another (RFC 9162 §2.1.4). The default of
   * `to` is the current size. Throws `ApiError` `InvalidField`.
   *
   * @example
   * const proof = await colophon.log.consistency({ from: 1, to: 2 });
   * proof.consistencyPath.length; // => 1
   */
  consistency(query: { from: number; to?: number }, options?: CallOptions): Promise<ConsistencyProof>;
  /**
   * Returns a tile of the tree: up to 256 hashes of 32 bytes each, or up to 256 entries. Mirrors and witnesses need
   * tiles (C2SP tlog-tiles). Throws `ApiError` `NotFound` for a tile that does not exist yet.
   *
   * @example
   * const tile = await colophon.log.tile({ level: 0, index: 0, width: 2 });
   * tile.length; // => 64
   * const full = await colophon.log.tile({ level: 0, index: 0, width: 256 }).catch((error) => error.code);
   * full; // => 'NotFound'
   */
  tile(tile: Tile, options?: CallOptions): Promise<Uint8Array>;
}

const BYTES = { accept: '*/*' };

export function createLog({ ask, open }: Transport): Log {
  return {
    get: (options) => ask({ method: 'GET', path: '/v1/log' }, options),
    keys: (options) => ask({ method: 'GET', path: '/v1/log/keys' }, options),
    checkpoint: async (options) =>
      (await open({ method: 'GET', path: '/v1/log/checkpoint', headers: BYTES }, options)).text(),
    inclusion: (query, options) =>
      ask({ method: 'GET', path: '/v1/log/inclusion', query: { ...query } }, options),
    consistency: (query, options) => ask({ method: 'GET', path: '/v1/log/consistency', query }, options),
    tile: async (tile, options) => {
      const path = `/v1/log/tile/${formatTilePath(tile)}`;
      return new Uint8Array(
        await (await open({ method: 'GET', path, headers: BYTES }, options)).arrayBuffer(),
      );
    },
  };
}
