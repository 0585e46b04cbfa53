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
import { type Tx, untilAborted } from '../../platform/db/database.js';
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

/** The most actions of a proven bundle. */
export const MAX_PROVEN_ACTIONS = 1_000;
/** Most records and contents of a proven bundle: each has a proof. */
export const MAX_PROVEN_ITEMS = 10_000;
/** Identifiers that one transaction proves. Embedded, it takes about 20 ms. */
const NAMES_AT_ONCE = 500;
/** Number of repeated reads when the data changes during a read. */
const MORE_TRIES = 2;
const RETRY_SECONDS = 2;

/** `signal` aborts when no caller waits any more. A history longer than `whole` is read in steps. */
type ProvenBundleQuery = BundleQuery & {
  signal?: AbortSignal | undefined;
  whole?: typeof WHOLE | undefined;
  maxItems?: number;
};

/**
 * Reads the proven history of a CID: the proof that the log holds each record, the number of actions that name each
 * content, and signatures over both. Undefined when the project does not know the content. It first adds records
 * since the last proof to the map of names, and states the map in the log. `close` removes records that the reader
 * may not see; it returns undefined to reject the request. Each part of a large map waits in the fair queue, so a
 * first proof does not block those of others.
 */
export async function readProvenBundle(
  deps: TransparencyLogDeps,
  projectId: string,
  options: ProvenBundleQuery,
  close = (whole: LeavedBundle): LeavedBundle | undefined => whole,
): Promise<ProvenBundle | undefined> {
  requireSigner(deps);
  for (;;) {
    // Read it before the transaction: over REST a transaction starts again when its reads have changed, and the
    // log can grow all the time.
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

/** The map entries for the identifiers of a bundle, and the leaf with the statement of the map. */
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
  // The statement is the newest leaf, unless records came after the state of the map that it is about.
  const last = leaves.reduce((index, leaf) => Math.max(index, leaf.leafIndex), stated.leafIndex);
  const tree = await openTree(untilAborted(deps.provenance, signal), projectId, last + 1);
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

/** Reads a bundle and its map entries. `more`: the map must cover more of the log first. */
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
    // Recorded meanwhile: not in the map.
    if (found.leaves.some(({ leafIndex }) => leafIndex >= map.leaves)) return 'more';
    const byName = await proveMentions(tx, projectId, { names, top: map.top });
    return { ...found, byName, stated: await stateMap(tx, projectId, map) };
  }, turn);
  return step === 'long' ? readLongDraft(deps, projectId, options) : step;
}

/**
 * Reads a long bundle in steps, then the map entries of its identifiers. The bundle may have records that are newer
 * than the map. It is read again when the map has an action that the bundle lacks, because another proof added it
 * meanwhile.
 */
async function readLongDraft(
  deps: TransparencyLogDeps,
  projectId: string,
  { signal, maxItems: maxLeaved = MAX_PROVEN_ITEMS, ...options }: ProvenBundleQuery,
): Promise<ProvenBundleDraft> {
  const source = { db: untilAborted(deps.provenance, signal), projectId };
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

/** Whether the bundle has every action in the map, or states that it is truncated. */
function isOfMap({ bundle, leaves, stated, byName }: ProvenBundleDraft, { direction }: BundleQuery): boolean {
  if (!bundle.complete) return true;
  const { cid, actions, aliases = {} } = bundle;
  const mentions = { statement: stated.statement, byName };
  const claim = { cid, actions, aliases, proof: { direction, records: leaves, mentions } };
  return isWholeHistory(claim, (chain, covered) => chain?.count === covered.length);
}

/**
 * Reads the map entries of identifiers at one state of the map, in parts. When the map keeps changing, it uses one
 * transaction.
 */
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

/**
 * Returns the statement of this state of the map. It is the last one if it states this map; otherwise a new one is
 * written.
 */
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
