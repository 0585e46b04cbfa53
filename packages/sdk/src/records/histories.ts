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

/** How far a history goes. */
export interface HistoryQuery {
  /** What it was made from (unless given), what was made from it, or both. */
  direction?: 'ancestors' | 'descendants' | 'both';
  /** How many actions away to look, 1 to 100; a bundle goes all the way unless given, a graph 10. */
  depth?: number;
  /** Most actions in the answer; the nearest are kept. */
  limit?: number;
}

/** The same, of a bundle. */
export interface BundleQuery extends HistoryQuery {
  /** Prove and sign it: `proof` of the answer; of at most 1,000 actions. */
  proof?: boolean;
}

/** The same, of a bundle in another form. */
export interface ExportQuery extends HistoryQuery {
  /** W3C PROV-JSON, or RO-Crate 1.1. */
  format: 'prov-json' | 'ro-crate';
}

/** A bundle, with its proof where that was asked for. */
export type BundleAnswer = Bundle & { proof?: BundleProof };

/** Histories of content, as records and as nodes and edges. */
export interface Histories {
  /**
   * The history of a content: everything it was made from, and by whom, each list oldest first. `complete` is false when
   * it was cut.
   *
   * Throws `ApiError`: `NotFound` for a content that this project knows nothing of, `InvalidField`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('a bundle'), { entity: { id: 'studio:ann', role: 'human' } });
   * const { actions, complete } = await colophon.histories.bundle(cid);
   * [actions.length, complete]; // => [1, true]
   * (await colophon.histories.bundle(cid, { proof: true })).proof === undefined; // => false
   */
  bundle(cid: string, query?: BundleQuery, options?: CallOptions): Promise<BundleAnswer>;
  /**
   * The same, of at most 1,000 actions, with what shows that it is recorded so and that no action is left out, verified
   * here: `bundle` is to be kept as it is, and `report` says whether it holds. That it does not is an answer.
   *
   * Throws as `bundle` does, and TypeError for a key that cannot be read.
   *
   * @example
   * const { verifierKey: trustedLog } = await colophon.log.get(); // once, over a way that is trusted
   * const { cid } = await colophon.file(new TextEncoder().encode('a proof'), { entity: { id: 'studio:ann', role: 'human' } });
   * const { bundle, report } = await colophon.histories.proven(cid, {}, { trustedLog });
   * [report.verified, report.complete]; // => [true, true]
   * colophon.histories.verify({ ...bundle, complete: false }, trustedLog).code; // => 'badBundleSignature'
   */
  proven(cid: string, query?: HistoryQuery, options?: ProvenOptions): Promise<ProvenHistory>;
  /**
   * Whether a bundle that was kept with its proof holds, from the bundle and the log's key alone; nobody is asked.
   * `trustedLog` is as of `receipts.verify`. See `verifyBundle` of the model for what is checked and the codes of
   * refusals; that it is of the content in question is for the caller to see.
   *
   * Throws TypeError without a key, or for one that cannot be read.
   *
   * @example
   * colophon.histories.verify({}, '00'.repeat(32)); // => { verified: false, code: 'malformed' }
   */
  verify(bundle: unknown, trustedLog?: string): BundleReport;
  /**
   * The same for other programs: as W3C PROV-JSON or RO-Crate 1.1. Throws `ApiError`: `NotFound`, `InvalidField`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('a crate'), { entity: { id: 'studio:ann', role: 'human' } });
   * Object.keys(await colophon.histories.export(cid, { format: 'ro-crate' })).sort(); // => ['@context', '@graph']
   */
  export(cid: string, query: ExportQuery, options?: CallOptions): Promise<JsonObject>;
  /**
   * The same as nodes and edges. Throws `ApiError`: `NotFound`, `InvalidField`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('a graph'), { entity: { id: 'studio:ann', role: 'human' } });
   * (await colophon.histories.graph(cid)).nodes.map(({ type }) => type).sort(); // => ['action', 'entity', 'resource']
   */
  graph(cid: string, query?: HistoryQuery, options?: CallOptions): Promise<Graph>;
  /**
   * Everything that was recorded in one session, oldest first; empty when nothing was.
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
