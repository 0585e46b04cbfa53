import { formatVerifierKey, type KeyHistory, toBase64, toVerifierKey } from '@colophon/model';
import { requireSigner, signTree } from './checkpoint.js';
import type { TransparencyLogDeps } from './deps.js';
import { readLogHead } from './log.sql.js';
import { appendHandovers, type LoggedHandover, listHandovers, listKeys } from './log-keys.sql.js';
import { openTreeInTurn } from './tree-reader.js';

/** Returns all keys of the log, with the hand-overs and their proofs. Appends missing hand-overs to the log. */
export async function readKeyHistory(
  deps: TransparencyLogDeps,
  projectId: string,
  signal?: AbortSignal,
): Promise<KeyHistory> {
  const { publicKeyHex: present } = requireSigner(deps);
  const { provenance } = deps;
  const handovers = await readHandovers(deps, projectId);
  const { size, origin } = await readLogHead(provenance, projectId);
  const tree = await openTreeInTurn(deps, projectId, { size, signal });
  const checkpoint = await signTree(deps, origin, tree);
  const stored = (await listKeys(provenance)).map(({ publicKeyHex }) => publicKeyHex);
  const proven = handovers.map(async ({ handover, leafIndex }) => {
    if (leafIndex === null) throw new Error(`The log of ${projectId} has no leaf for a hand-over of its key`);
    const inclusionPath = (await tree.proveInclusion(leafIndex)).map(toBase64);
    return { ...handover, leafIndex, inclusionPath };
  });
  // A key that exists only in memory is not in the table.
  const keys = stored.includes(present) ? stored : [...stored, present];
  return {
    version: 1,
    origin,
    keys: keys.map((publicKey) => ({
      verifierKey: formatVerifierKey(toVerifierKey(origin, Buffer.from(publicKey, 'hex'))),
      publicKey,
    })),
    handovers: await Promise.all(proven),
    checkpoint,
  };
}

async function readHandovers(
  { provenance }: TransparencyLogDeps,
  projectId: string,
): Promise<LoggedHandover[]> {
  const found = await listHandovers(provenance, projectId);
  if (found.every(({ leafIndex }) => leafIndex !== null)) return found;
  await provenance.transaction((tx) => appendHandovers(tx, projectId), { projectId });
  return listHandovers(provenance, projectId);
}
