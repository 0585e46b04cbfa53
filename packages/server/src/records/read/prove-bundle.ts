import {
  type Bundle,
  dssePae,
  isWholeHistory,
  type MentionStatement,
  type NamedMentions,
  PROVEN_BUNDLE_TYPE,
  type ProvenBundle,
  statementDigest,
  toBase64,
  toVerifierKey,
} from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { type Queryable, type Tx, untilAborted } from '../../platform/db/database.js';
import { paced } from '../../platform/db/paced.js';
import { mapYielding } from '../../platform/work/map-yielding.js';
import { requireSigner, signTree } from '../../transparency-log/checkpoint.js';
import type { TransparencyLogDeps } from '../../transparency-log/deps.js';
import { readLogHead } from '../../transparency-log/log.sql.js';
import { advanceMentions, type MapState, readMap } from '../../transparency-log/mention-index.js';
import { appendStatement, readLastStatement } from '../../transparency-log/mentions.sql.js';
import { proveMentions } from '../../transparency-log/prove-mentions.js';
import { openTree, type TreeReader } from '../../transparency-log/tree-reader.js';
import type { BundleQuery } from './histories.sql.js';
import type { WHOLE } from './read-histories.js';
import { type LeavedBundle, readLeavedHistory, readShortHistory } from './read-leaved-history.js';
import { writeJson } from './write-json.js';

/** Maximum number of actions in a proven bundle. */
export const MAX_PROVEN_ACTIONS = 1_000;
/** Maximum number of records and contents in a proven bundle. Each needs a proof. */
export const MAX_PROVEN_ITEMS = 10_000;
/** Number of identifiers that one transaction proves. It takes about 20 ms on the embedded engine. */
const NAMES_AT_ONCE = 500;
/** Number of further tries when the data changes during a read. */
const MORE_TRIES = 2;
const RETRY_SECONDS = 2;

/** `signal` aborts when no caller waits any more. `whole`: limits of a history that one statement reads. */
type ProvenBundleQuery = BundleQuery & {
  signal?: AbortSignal | undefined;
  whole?: typeof WHOLE | undefined;
  maxItems?: number;
};

/**
 * Reads the proven history of a CID; undefined when the project does not know the content. The proof shows that the
 * log holds each record, and how many actions name each content. The service signs the checkpoint of the log and
 * the bundle. First it adds new records to the map from content names to actions, and writes the root of the map to
 * the log. It extends a large map in parts, and each part waits in the fair queue, so that other projects can work
 * in between. `close` removes records that the reader may not see, or returns undefined to reject the request.
 */
export async function readProvenBundle(
  deps: TransparencyLogDeps,
  projectId: string,
  options: ProvenBundleQuery,
  close = (whole: LeavedBundle): LeavedBundle | undefined => whole,
): Promise<ProvenBundle | undefined> {
  requireSigner(deps);
  for (;;) {
    // Read before the transaction: over REST, a transaction restarts when rows that it read change. The log may
    // grow all the time.
    const { size, origin } = await readLogHead(deps.provenance, projectId);
    const proveInTurn = async () => {
      const draft = await readDraft(deps, projectId, { ...options, size });
      if (draft === 'more') return draft;
      const closed = draft && close(draft);
      return (
        draft && closed && proveDraft(deps, projectId, { draft: { ...draft, ...closed }, origin, options })
      );
    };
    const step = await deps.limitConcurrency(projectId, proveInTurn, options.signal);
    if (step !== 'more') return step;
  }
}

/** `byName`: the map entries of the bundle's identifiers. `stated`: the log leaf that states the root of the map. */
interface NamedBundle {
  byName: Record<string, NamedMentions>;
  stated: { statement: MentionStatement; leafIndex: number };
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
  const { bundle, leaves, stated, byName } = draft;
  const signer = requireSigner(deps);
  // The tree must contain every leaf of the proof. A record may be newer than the statement of the map.
  const last = leaves.reduce((index, leaf) => Math.max(index, leaf.leafIndex), stated.leafIndex);
  const tree = await openTree(pacedFor(deps, projectId, signal), projectId, last + 1);
  const proof = {
    version: 1 as const,
    direction,
    origin,
    checkpoint: await signTree(deps, origin, tree),
    records: await mapYielding(leaves, async (leaf) => ({ ...leaf, ...(await prove(tree, leaf)) }), signal),
    mentions: { ...stated, ...(await prove(tree, stated)), byName },
  };
  const text = await writeJson({ ...bundle, proof }, { form: 'canonical', signal });
  const sig = Buffer.from(signer.sign(dssePae(PROVEN_BUNDLE_TYPE, text)), 'hex');
  const { keyId: keyid } = toVerifierKey(origin, Buffer.from(signer.publicKeyHex, 'hex'));
  return { ...bundle, proof: { ...proof, signatures: [{ keyid, sig: toBase64(sig) }] } };
}

/** The database, with pauses between statements while other projects have requests. */
function pacedFor(
  { provenance, hasOtherRequests = () => false }: TransparencyLogDeps,
  projectId: string,
  signal: AbortSignal | undefined,
): Queryable {
  return paced(untilAborted(provenance, signal), () => hasOtherRequests(projectId));
}

/** Reads a bundle and its map entries. Returns `more` when the map must first cover more of the log. */
async function readDraft(
  deps: TransparencyLogDeps,
  projectId: string,
  { size, ...options }: ProvenBundleQuery & { size: number },
): Promise<ProvenBundleDraft | 'more' | undefined> {
  const turn = { projectId, signal: options.signal };
  const step = await deps.provenance.transaction(async (tx) => {
    const map = await advanceMentions(tx, projectId, size);
    if (map === undefined) return 'more';
    const found = await readShortHistory(tx, projectId, options);
    if (found === undefined || found === 'long') return found;
    const names = namesOf(found.bundle);
    if (names.length > NAMES_AT_ONCE) return 'long';
    // A record is newer than the map.
    if (found.leaves.some(({ leafIndex }) => leafIndex >= map.leaves)) return 'more';
    const byName = await proveMentions(tx, projectId, { names, top: map.top });
    return { ...found, byName, stated: await stateMap(tx, projectId, map) };
  }, turn);
  return step === 'long' ? readLongDraft(deps, projectId, options) : step;
}

/**
 * Reads a long bundle in steps, then the map entries of its identifiers. Another proof may extend the map
 * meanwhile. When the map then has an action that the bundle lacks, it reads both again.
 */
async function readLongDraft(
  deps: TransparencyLogDeps,
  projectId: string,
  { signal, maxItems: maxLeaved = MAX_PROVEN_ITEMS, ...options }: ProvenBundleQuery,
): Promise<ProvenBundleDraft> {
  const source = { db: pacedFor(deps, projectId, signal), projectId };
  for (let tries = 0; tries <= MORE_TRIES; tries++) {
    const found = await readLeavedHistory(source, { ...options, maxLeaved }, signal);
    const named = await readNamed(deps, projectId, { names: namesOf(found.bundle), signal });
    if (isOfMap({ ...found, ...named }, options)) return { ...found, ...named };
  }
  throw new ServiceError(
    'Unavailable',
    `The history of ${options.cid} kept growing while the service read it.`,
    {
      recovery: 'Send the request again after Retry-After.',
      headers: { 'retry-after': String(RETRY_SECONDS) },
    },
  );
}

/** Whether the bundle has every action that the map has for its contents, or says that it is truncated. */
function isOfMap({ bundle, leaves, stated, byName }: ProvenBundleDraft, { direction }: BundleQuery): boolean {
  if (!bundle.complete) return true;
  const { cid, actions, aliases = {} } = bundle;
  const mentions = { statement: stated.statement, byName };
  const claim = { cid, actions, aliases, proof: { direction, records: leaves, mentions } };
  return isWholeHistory(claim, (chain, covered) => chain?.count === covered.length);
}

/** Reads map entries in parts, all of one state of the map. When the map keeps changing, uses one transaction. */
async function readNamed(
  { provenance }: TransparencyLogDeps,
  projectId: string,
  { names, signal }: { names: readonly string[]; signal: AbortSignal | undefined },
): Promise<NamedBundle> {
  for (let tries = 0; ; tries++) {
    const atOnce = tries < MORE_TRIES ? NAMES_AT_ONCE : names.length;
    const byName: NamedBundle['byName'] = {};
    let leaves: number | undefined;
    for (let at = 0; at < names.length; at += atOnce) {
      signal?.throwIfAborted();
      const part = await provenance.transaction(
        async (tx) => {
          const map = await readMap(tx, projectId);
          if (leaves !== undefined && leaves !== map.leaves) return undefined;
          const found = await proveMentions(tx, projectId, {
            names: names.slice(at, at + atOnce),
            top: map.top,
          });
          const isLast = at + atOnce >= names.length;
          return { map, found, stated: isLast ? await stateMap(tx, projectId, map) : undefined };
        },
        { projectId, signal },
      );
      if (part === undefined) break;
      leaves = part.map.leaves;
      Object.assign(byName, part.found);
      if (part.stated !== undefined) return { byName, stated: part.stated };
    }
  }
}

/** Returns every identifier of content in the bundle. Each is proven, even one without an action. */
function namesOf({ cid, actions, aliases = {} }: Bundle): string[] {
  const named = actions.flatMap(({ inputCids, outputCids }) => [...inputCids, ...outputCids]);
  return [...new Set([cid, ...Object.entries(aliases).flat(), ...named])];
}

/** Returns the last statement if it is about this state of the map. Otherwise writes a new one. */
async function stateMap(
  tx: Tx,
  projectId: string,
  { leaves, names, root }: MapState,
): Promise<ProvenBundleDraft['stated']> {
  const last = await readLastStatement(tx, projectId);
  const isOfBefore = last?.leaves === last?.leafIndex && last?.leaves === leaves - 1;
  if (last !== undefined && (isOfBefore || last.leaves === leaves)) {
    return { statement: toStatement(last.leaves, last.names, root), leafIndex: last.leafIndex };
  }
  const statement = toStatement(leaves, names, root);
  return {
    statement,
    leafIndex: await appendStatement(tx, projectId, { statement, digest: statementDigest(statement) }),
  };
}

function toStatement(leaves: number, names: number, root: string): MentionStatement {
  return { version: 1, kind: 'mentions', leaves, names, root };
}

async function prove(
  tree: TreeReader,
  { leafIndex }: { leafIndex: number },
): Promise<{ inclusionPath: string[] }> {
  return { inclusionPath: (await tree.proveInclusion(leafIndex)).map(toBase64) };
}
