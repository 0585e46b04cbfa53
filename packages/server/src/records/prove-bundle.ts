import {
  type Bundle,
  type MentionStatement,
  type NamedMentions,
  type ProvenBundle,
  provenBundleText,
  statementDigest,
  toBase64,
  toVerifierKey,
} from '@colophon/model';
import type { Tx } from '../db/database.js';
import { requireSigner, signTree } from '../log/checkpoint.js';
import { readLogSize } from '../log/log.sql.js';
import { advanceMentions, type MapState } from '../log/mention-index.js';
import { appendStatement, readLastStatement } from '../log/mentions.sql.js';
import type { LogNeeds } from '../log/needs.js';
import { proveMentions } from '../log/prove-mentions.js';
import { openTree, type TreeReader } from '../log/tree-reader.js';
import type { BundleTerms, RecordLeaf } from './histories.sql.js';
import { readBundleWithLeaves } from './read-histories.js';

/** Most actions of a bundle that is proven. */
export const MAX_PROVEN_ACTIONS = 1_000;

/** `signal` aborts when nobody waits for it any more. */
type ProvenTerms = BundleTerms & { signal?: AbortSignal };

/** A bundle with the leaf of each of its records. */
export type LeavedBundle = Pick<Draft, 'bundle' | 'leaves'>;

/**
 * The history of a CID, proven: each record in the log, how many actions name each content, and all of it signed.
 * Undefined when the project knows nothing of the content. What was recorded since the last proof is taken into the
 * map of names first, and stated in the log. `close` leaves out what is not for the reader, or refuses by undefined.
 */
export async function readProvenBundle(
  needs: LogNeeds,
  projectId: string,
  terms: ProvenTerms,
  close = (whole: LeavedBundle): LeavedBundle | undefined => whole,
): Promise<ProvenBundle | undefined> {
  const signer = requireSigner(needs);
  const draft = await readDraft(needs, projectId, terms);
  const closed = draft && close(draft);
  if (draft === undefined || closed === undefined) return undefined;
  const { stated, byName } = draft;
  const { bundle, leaves } = closed;
  // The statement is the newest leaf, when this is of the newest state.
  const tree = await openTree(needs.provenance, projectId, stated.leafIndex + 1);
  const origin = needs.originOf(projectId);
  const records = await Promise.all(leaves.map(async (leaf) => ({ ...leaf, ...(await prove(tree, leaf)) })));
  const proof = {
    version: 1 as const,
    direction: terms.direction,
    origin,
    checkpoint: await signTree(needs, origin, tree),
    records,
    mentions: { ...stated, ...(await prove(tree, stated)), byName },
  };
  const sig = Buffer.from(signer.sign(provenBundleText({ ...bundle, proof })), 'hex');
  const { keyId: keyid } = toVerifierKey(origin, Buffer.from(signer.publicKeyHex, 'hex'));
  return { ...bundle, proof: { ...proof, signatures: [{ keyid, sig: toBase64(sig) }] } };
}

interface Draft {
  bundle: Bundle;
  leaves: RecordLeaf[];
  stated: { statement: MentionStatement; leafIndex: number };
  byName: Record<string, NamedMentions>;
}

/**
 * Bundle and map of one moment; the map is stated in the log unless it was after its last change. Each part of a large
 * map waits for its turn anew, so that nobody's first proof keeps others from theirs.
 */
async function readDraft(
  { provenance, takeTurn }: LogNeeds,
  projectId: string,
  { signal, ...terms }: ProvenTerms,
): Promise<Draft | undefined> {
  for (;;) {
    // Before the transaction, which over REST begins anew when what it read has changed: the log may grow all the time.
    const size = await readLogSize(provenance, projectId);
    const look = () =>
      provenance.transaction(async (tx) => {
        const map = await advanceMentions(tx, projectId, size);
        if (map === undefined) return 'more';
        const found = await readBundleWithLeaves(tx, projectId, terms);
        if (found === undefined) return undefined;
        // Recorded meanwhile: not in the map.
        if (found.leaves.some(({ leafIndex }) => leafIndex >= map.leaves)) return 'more';
        const byName = await proveMentions(tx, projectId, { names: namesOf(found.bundle), top: map.top });
        return { ...found, byName, stated: await stateMap(tx, projectId, map) };
      });
    const step = await takeTurn(projectId, look, signal);
    if (step !== 'more') return step;
  }
}

/** Every name of content in the bundle: each is proven, also one that no action has. */
function namesOf({ cid, actions, aliases = {} }: Bundle): string[] {
  const named = actions.flatMap(({ inputCids, outputCids }) => [...inputCids, ...outputCids]);
  return [...new Set([cid, ...Object.keys(aliases), ...named])];
}

/** The statement of this state of the map: the last one, when nothing but itself was logged since. */
async function stateMap(
  tx: Tx,
  projectId: string,
  { leaves, names, root }: MapState,
): Promise<Draft['stated']> {
  const last = await readLastStatement(tx, projectId);
  if (last !== undefined && last.leaves === last.leafIndex && last.leafIndex + 1 === leaves) {
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
