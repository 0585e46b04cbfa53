import {
  type Bundle,
  type BundleProof,
  checkWholeHistory,
  dssePaeHeader,
  PROVEN_BUNDLE_TYPE,
  type ProofVersion,
  type ProvenBundle,
  toBase64,
  toVerifierKey,
} from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { pacedFor } from '../../platform/db/paced.js';
import { lengthOf } from '../../platform/json-text.js';
import { everyYielding, mapYielding } from '../../platform/work/map-yielding.js';
import { requireSigner, signTree } from '../../transparency-log/checkpoint.js';
import { readCosignedTree } from '../../transparency-log/cosignatures.sql.js';
import type { TransparencyLogDeps } from '../../transparency-log/deps.js';
import { createHashTexts } from '../../transparency-log/hash-texts.js';
import { readLogHead } from '../../transparency-log/log.sql.js';
import { MAX_PREFIX_NAMES } from '../../transparency-log/map-buckets.js';
import { advanceMentions, readMap } from '../../transparency-log/mention-index.js';
import type { ProjectMap } from '../../transparency-log/mentions.sql.js';
import {
  type KeyedName,
  type MapEntries,
  type MapName,
  planProof,
  proveMentions,
  sortByKey,
} from '../../transparency-log/prove-mentions.js';
import { type StatedMap, stateMap } from '../../transparency-log/state-map.js';
import { openTree } from '../../transparency-log/tree-reader.js';
import type { BundleQuery } from './histories.sql.js';
import type { WHOLE } from './read-histories.js';
import {
  addAliasAttributions,
  type LeavedBundle,
  readLeavedHistory,
  readShortHistory,
} from './read-leaved-history.js';
import { writeJson } from './write-json.js';

/** Maximum number of actions in a proven bundle. */
export const MAX_PROVEN_ACTIONS = 1_000;
/** Maximum number of records and contents in a proven bundle. Each of them needs a proof. */
export const MAX_PROVEN_ITEMS = 10_000;
/** Maximum number of identifiers and actions that one transaction proves. */
const NAMES_AT_ONCE = 500;
/** Number of further tries when the data changes during a read. */
const MORE_TRIES = 2;
/** Maximum number of restarts because the bundle has a record that is newer than the map. */
const MAX_NEWER = 20;
const RETRY_SECONDS = 2;

export const PROOF_VERSION = 2;

/** `version`: `PROOF_VERSION` by default. `whole`: limits of a history that one statement reads. */
type ProvenBundleQuery = BundleQuery & {
  version?: ProofVersion | undefined;
  signal?: AbortSignal | undefined;
  whole?: typeof WHOLE | undefined;
  maxItems?: number;
};

/**
 * Reads the proven history of a CID; undefined when the project does not know the content. The proof shows that the log
 * holds each record, and how many records name each content and action. Before the service signs, it adds new records
 * to the Merkle map of the project, and the root of the map to the log. `close` removes the data that the reader may
 * not see, or returns undefined when no proof may be shown.
 */
export async function readProvenBundle(
  deps: TransparencyLogDeps,
  projectId: string,
  options: ProvenBundleQuery,
  close: (whole: LeavedBundle) => Promise<LeavedBundle | undefined> = async (whole) => whole,
): Promise<ProvenBundle | undefined> {
  requireSigner(deps);
  // Computes missing hashes before this request takes a slot, because each step can need a slot of its own.
  const readHead = async () => {
    const read = await readLogHead(deps.provenance, projectId);
    await deps.completeNodes(projectId, read.size, options.signal);
    return read;
  };
  // Over the REST API of Supabase, a transaction restarts when rows that it has read change. So the head is read before
  // the transaction, and again only when the bundle has a record that is newer than the map.
  let head = await readHead();
  let timesNewer = 0;
  for (;;) {
    const { size, origin } = head;
    const proveInTurn = async () => {
      const draft = await readDraft(deps, projectId, { ...options, size });
      if (draft === 'more' || draft === 'newer') return draft;
      const closed = draft && (await close(draft));
      return (
        draft && closed && proveDraft(deps, projectId, { draft: { ...draft, ...closed }, origin, options })
      );
    };
    const step = await deps.limitConcurrency(projectId, proveInTurn, options.signal);
    if (step === 'newer') {
      if (++timesNewer > MAX_NEWER) throw toGrowing(options.cid);
      head = await readHead();
    } else if (step !== 'more') return step;
  }
}

/** `stated`: the log leaf that states the root of the map. */
interface NamedBundle {
  entries: MapEntries;
  stated: StatedMap;
}

type ProvenBundleDraft = LeavedBundle & NamedBundle;

async function proveDraft(
  deps: TransparencyLogDeps,
  projectId: string,
  {
    draft,
    origin,
    options: { direction, signal },
  }: { draft: ProvenBundleDraft; origin: string; options: ProvenBundleQuery },
): Promise<ProvenBundle> {
  const { bundle, leaves, stated, entries } = draft;
  const signer = requireSigner(deps);
  // The tree must contain every leaf of the proof. A record may have a later leaf than the root of the map. A cosigned
  // tree proves more.
  const last = leaves.reduce((index, leaf) => Math.max(index, leaf.leafIndex), stated.leafIndex);
  const cosigned = await readCosignedTree(deps.provenance, projectId, {
    minSize: last + 1,
    witnesses: deps.witnessKeys,
  });
  const tree = await openTree(
    pacedFor({ ...deps, db: deps.provenance }, projectId, signal),
    projectId,
    cosigned?.size ?? last + 1,
  );
  const toText = createHashTexts();
  const prove = async ({ leafIndex }: { leafIndex: number }) => ({
    inclusionPath: (await tree.proveInclusion(leafIndex)).map(toText),
  });
  const proof = {
    version: stated.statement.version,
    direction,
    origin,
    checkpoint: (await signTree(deps, origin, tree)) + (cosigned?.lines ?? ''),
    records: await mapYielding(leaves, async (leaf) => ({ ...leaf, ...(await prove(leaf)) }), signal),
    mentions: { ...stated, ...(await prove(stated)), ...entries },
  };
  const payload = await writeJson({ ...bundle, proof }, { form: 'canonical', signal });
  const header = Buffer.from(dssePaeHeader(PROVEN_BUNDLE_TYPE, lengthOf(payload)));
  const signed = await joinPieces([header, ...payload], signal);
  const sig = await signer.signBytes(signed, projectId, { moves: true });
  const { keyId: keyid } = toVerifierKey(origin, Buffer.from(signer.publicKeyHex, 'hex'));
  return { ...bundle, proof: { ...proof, signatures: [{ keyid, sig: toBase64(sig) }] } as BundleProof };
}

/** Returns a buffer that can move to another thread. */
async function joinPieces(pieces: readonly Buffer[], signal: AbortSignal | undefined): Promise<Uint8Array> {
  const bytes = new Uint8Array(lengthOf(pieces));
  let at = 0;
  const add = (piece: Buffer) => {
    bytes.set(piece, at);
    at += piece.length;
  };
  await mapYielding(pieces, add, signal);
  return bytes;
}

/** `more`: another step must extend the map to `size` leaves. `newer`: a record is newer than the map. */
async function readDraft(
  deps: TransparencyLogDeps,
  projectId: string,
  { size, ...options }: ProvenBundleQuery & { size: number },
): Promise<ProvenBundleDraft | 'more' | 'newer' | undefined> {
  const turn = { projectId, signal: options.signal };
  const map = mapOf(deps, projectId, options);
  const step = await deps.provenance.transaction(async (tx) => {
    const state = await advanceMentions(tx, map, size);
    if (state === undefined) return 'more';
    const read = await readShortHistory(tx, projectId, options);
    if (read === undefined || read === 'long') return read;
    const { maxItems = MAX_PROVEN_ITEMS } = options;
    const found = map.version === 1 ? read : await addAliasAttributions(tx, projectId, { ...read, maxItems });
    const unsorted = namesOf(found.bundle, map);
    if (unsorted.length > NAMES_AT_ONCE) return 'long';
    const names = await sortByKey(unsorted, options.signal);
    const plan = await planProof(tx, map, { names, top: state.top });
    if (plan.count < names.length) return 'long';
    if (found.leaves.some(({ leafIndex }) => leafIndex >= state.leaves)) return 'newer';
    const entries = await proveMentions(tx, map, { names, plan });
    return { ...found, entries, stated: await stateMap(tx, map, state) };
  }, turn);
  return step === 'long' ? readLongDraft(deps, projectId, options) : step;
}

/** Reads a long bundle in steps, and again if the map then has a record that the bundle lacks. */
async function readLongDraft(
  deps: TransparencyLogDeps,
  projectId: string,
  { signal, maxItems: maxLeaved = MAX_PROVEN_ITEMS, ...options }: ProvenBundleQuery,
): Promise<ProvenBundleDraft | 'newer'> {
  const source = { db: pacedFor({ ...deps, db: deps.provenance }, projectId, signal), projectId };
  const map = mapOf(deps, projectId, options);
  for (let tries = 0; tries <= MORE_TRIES; tries++) {
    const read = await readLeavedHistory(source, { ...options, maxLeaved }, signal);
    const found =
      map.version === 1
        ? read
        : await addAliasAttributions(source.db, projectId, { ...read, maxItems: maxLeaved });
    const names = await sortByKey(namesOf(found.bundle, map), signal);
    const named = await readNamed(deps, map, { cid: options.cid, names, signal });
    if (await isOfMap({ ...found, ...named }, options, signal)) return { ...found, ...named };
    const { leaves } = named.stated.statement;
    if (found.leaves.some(({ leafIndex }) => leafIndex >= leaves)) return 'newer';
  }
  throw toGrowing(options.cid);
}

function toGrowing(cid: string): ServiceError {
  return new ServiceError('Unavailable', `The history of ${cid} kept growing while the service read it.`, {
    recovery:
      'Send the request again after Retry-After. Other requests are recording actions in this history.',
    headers: { 'retry-after': String(RETRY_SECONDS) },
  });
}

function toChanging(cid: string): ServiceError {
  return new ServiceError(
    'Unavailable',
    `The project changed during each of the tries to prove the history of ${cid}, and the proof is too large for one transaction.`,
    {
      recovery: 'Send the request again after Retry-After, when other requests record less in this project.',
      headers: { 'retry-after': String(RETRY_SECONDS) },
    },
  );
}

/** Whether the bundle has every record that the map has for its contents, or says that it is truncated. */
async function isOfMap(
  { bundle, leaves, stated, entries }: ProvenBundleDraft,
  { direction }: BundleQuery,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!bundle.complete) return true;
  const mentions = { statement: stated.statement, ...entries };
  const { aliases = {} } = bundle;
  const claim = { ...bundle, aliases, proof: { direction, records: leaves, mentions } };
  return everyYielding(
    checkWholeHistory(claim, (chain, covered) => chain?.count === covered.length),
    signal,
  );
}

/** Starts again when the map changes. The last try reads all entries in one transaction, or throws `Unavailable`. */
async function readNamed(
  { provenance }: TransparencyLogDeps,
  map: ProjectMap,
  { cid, names, signal }: { cid: string; names: readonly KeyedName[]; signal: AbortSignal | undefined },
): Promise<NamedBundle> {
  for (let tries = 0; ; tries++) {
    const isLast = tries >= MORE_TRIES;
    let atOnce = isLast ? names.length : NAMES_AT_ONCE;
    const entries: MapEntries = { byName: {}, ...(map.version === 1 ? {} : { byAction: {} }) };
    let leaves: number | undefined;
    for (let at = 0; at < names.length; ) {
      signal?.throwIfAborted();
      const part = await provenance.transaction(
        async (tx) => {
          const state = await readMap(tx, map, { isLast });
          if (state === undefined) return 'gaps';
          if (leaves !== undefined && leaves !== state.leaves) return undefined;
          const next = names.slice(at, at + atOnce);
          const plan = await planProof(tx, map, { names: next, top: state.top });
          if (isLast && plan.isDense) throw toChanging(cid);
          const end = at + (isLast ? next.length : plan.count);
          const found = await proveMentions(tx, map, { names: names.slice(at, end), plan });
          const stated = end < names.length ? undefined : await stateMap(tx, map, state);
          return { state, found, end, stated };
        },
        { projectId: map.projectId, signal },
      );
      if (part === undefined) break;
      if (part === 'gaps') continue;
      // A plan takes time for each of its names, so the next plan has at most twice as many as this part proved.
      atOnce = Math.min(NAMES_AT_ONCE, 2 * (part.end - at));
      at = part.end;
      leaves = part.state.leaves;
      Object.assign(entries.byName, part.found.byName);
      if (entries.byAction !== undefined) Object.assign(entries.byAction, part.found.byAction);
      if (part.stated !== undefined) return { entries, stated: part.stated };
    }
  }
}

function mapOf(
  { maxPrefixNames = MAX_PREFIX_NAMES }: TransparencyLogDeps,
  projectId: string,
  { version = PROOF_VERSION }: Pick<ProvenBundleQuery, 'version'>,
): ProjectMap {
  return { projectId, version, maxPrefixNames };
}

/** The proof has an entry for each of these names, even if no record names it. */
function namesOf({ cid, actions, aliases = {} }: Bundle, { version }: ProjectMap): MapName[] {
  const named = actions.flatMap(({ inputCids, outputCids }) => [...inputCids, ...outputCids]);
  const names = [...new Set([cid, ...Object.entries(aliases).flat(), ...named])].map((name) => ({ name }));
  return version === 1 ? names : [...names, ...actions.map(({ id }) => ({ actionId: id }))];
}
