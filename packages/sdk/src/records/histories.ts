import type { Bundle, BundleProof, BundleReport, Graph, JsonObject, Session } from '@colophon/model';
import type { Log } from '../log/log.js';
import {
  type ProvenHistory,
  type ProvenOptions,
  readProvenHistory,
  verifyProven,
} from '../log/proven-history.js';
import { path } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** The part of a history that a call returns. */
export interface HistoryQuery {
  /** The contents that the content was made from (default), the contents made from it, or both. */
  direction?: 'ancestors' | 'descendants' | 'both';
  /** Maximum distance in actions, 1 to 100; default: unlimited for a bundle, 10 for a graph. */
  depth?: number;
  /** Maximum number of actions in the response. The nearest actions are returned. */
  limit?: number;
}

/** Options of a bundle. */
export interface BundleQuery extends HistoryQuery {
  /**
   * Whether the response contains a signed `proof`. A history with a proof has at most 1,000 actions, and about 10,000
   * records and contents.
   */
  proof?: boolean;
  /**
   * Version of the proof; default: 2. Version 2 also shows that no attribution is missing. Verifiers of earlier
   * releases support only version 1.
   */
  proofVersion?: 1 | 2;
}

/** Options of a verified history. */
export type ProvenQuery = Omit<BundleQuery, 'proof'>;

/** Options of an export. */
export interface ExportQuery extends HistoryQuery {
  /** Format of the export: W3C PROV-JSON or RO-Crate 1.1. */
  format: 'prov-json' | 'ro-crate';
}

/** A bundle. Its proof is present when the call requested it. */
export type BundleAnswer = Bundle & { proof?: BundleProof };

/** Histories of content, as records and as nodes and edges. */
export interface Histories {
  /**
   * Returns the history of a content with the performers of its actions. By default, the history is everything that the
   * content was made from. Each list is oldest first. `complete` is false when the response lacks actions.
   *
   * Throws `ApiError`: `NotFound` for a content that the project does not know, `InvalidField`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('a bundle'), { entity: { id: 'studio:ann', role: 'human' } });
   * const { actions, complete } = await colophon.histories.bundle(cid);
   * [actions.length, complete]; // => [1, true]
   * (await colophon.histories.bundle(cid, { proof: true })).proof === undefined; // => false
   */
  bundle(cid: string, query?: BundleQuery, options?: CallOptions): Promise<BundleAnswer>;
  /**
   * Reads a history of at most 1,000 actions with its proof, and verifies it. The proof shows that the log contains
   * each record unchanged, and that no action is missing. With `proofVersion` 2, it also shows that no attribution is
   * missing. Store `bundle` unchanged. `report` has the result. A failed verification is a result, not an error.
   *
   * Throws the errors of `bundle`, and TypeError for an invalid key.
   *
   * @example
   * const { verifierKey: trustedLog } = await colophon.log.get(); // once, over a trusted channel
   * const { cid } = await colophon.file(new TextEncoder().encode('a proof'), { entity: { id: 'studio:ann', role: 'human' } });
   * const { bundle, report } = await colophon.histories.proven(cid, {}, { trustedLog });
   * [report.verified, report.complete]; // => [true, true]
   * colophon.histories.verify({ ...bundle, complete: false }, trustedLog).code; // => 'badBundleSignature'
   */
  proven(cid: string, query?: ProvenQuery, options?: ProvenOptions): Promise<ProvenHistory>;
  /**
   * Verifies a stored bundle and its proof with the log's key, without requests. `trustedLog` is as in
   * `receipts.verify`. `verifyBundle` (`@colophon/model`) documents the checks and the codes of failures. The caller
   * must check that the bundle is the history of the expected content.
   *
   * Throws TypeError for a missing or invalid key.
   *
   * @example
   * colophon.histories.verify({}, '00'.repeat(32)); // => { verified: false, code: 'malformed' }
   */
  verify(bundle: unknown, trustedLog?: string): BundleReport;
  /**
   * Exports the history of a content as W3C PROV-JSON or RO-Crate 1.1. Throws `ApiError`: `NotFound`,
   * `InvalidField`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('a crate'), { entity: { id: 'studio:ann', role: 'human' } });
   * Object.keys(await colophon.histories.export(cid, { format: 'ro-crate' })).sort(); // => ['@context', '@graph']
   */
  export(cid: string, query: ExportQuery, options?: CallOptions): Promise<JsonObject>;
  /**
   * Returns the history of a content as nodes and edges. Throws `ApiError`: `NotFound`, `InvalidField`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('a graph'), { entity: { id: 'studio:ann', role: 'human' } });
   * (await colophon.histories.graph(cid)).nodes.map(({ type }) => type).sort(); // => ['action', 'entity', 'resource']
   */
  graph(cid: string, query?: HistoryQuery, options?: CallOptions): Promise<Graph>;
  /**
   * Returns the records of a session: the actions with this `sessionId`, and their entities, resources and
   * attributions. Each list is oldest first. `complete` is false when the response lacks actions. For an unknown
   * session, the lists are empty.
   *
   * @example
   * (await colophon.histories.session('no such session')).summary.actions; // => 0
   */
  session(id: string, options?: CallOptions): Promise<Session>;
}

export function createHistories(
  { ask }: Transport,
  { log, trustedLog: ownTrustedLog }: { log: Log; trustedLog: string | undefined },
): Histories {
  const bundle: Histories['bundle'] = (cid, query = {}, options) =>
    ask({ method: 'GET', path: path`/v1/bundle/${cid}`, query: { ...query } }, options);
  return {
    bundle,
    proven: (cid, query = {}, options) => {
      const readBundle = (given: CallOptions) => bundle(cid, { ...query, proof: true }, given);
      const asked = { cid, direction: query.direction ?? 'ancestors' };
      return readProvenHistory({ readBundle, log, trustedLog: ownTrustedLog }, asked, options);
    },
    verify: (held, trustedLog = ownTrustedLog) => verifyProven(held, trustedLog),
    export: (cid, query, options) =>
      ask({ method: 'GET', path: path`/v1/bundle/${cid}`, query: { ...query } }, options),
    graph: (cid, query = {}, options) =>
      ask({ method: 'GET', path: path`/v1/graph/${cid}`, query: { ...query } }, options),
    session: (id, options) => ask({ method: 'GET', path: path`/v1/session/${id}/provenance` }, options),
  };
}
