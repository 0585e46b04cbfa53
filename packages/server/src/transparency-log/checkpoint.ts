import { formatVerifierKey, signCheckpoint, toVerifierKey } from '@colophon/model';
import { ServiceError } from '../errors.js';
import type { TransparencyLogDeps } from './deps.js';
import { readLogHead } from './log.sql.js';
import { buildSigned, type LogSigner } from './log-signer.js';
import { openTreeInTurn, type TreeReader } from './tree-reader.js';

/** Returns a checkpoint that covers all records that were acknowledged before the call, and its cosignatures. */
export async function readCheckpoint(
  deps: TransparencyLogDeps,
  projectId: string,
  signal?: AbortSignal,
): Promise<string> {
  const { size, origin, cosignatures } = await readLogHead(deps.provenance, projectId);
  const tree = await openTreeInTurn(deps, projectId, { size, signal });
  return (await signTree(deps, origin, tree)) + cosignatures;
}

/**
 * Signs a checkpoint of the tree. Throws `Unavailable` if there is no signer, if an earlier checkpoint shows that the
 * database is an older copy, or if another database server took over during the call. The caller must not read any part
 * of the tree before the call.
 */
export async function signTree(
  deps: TransparencyLogDeps,
  origin: string,
  tree: TreeReader & { caller?: string },
): Promise<string> {
  const signer = requireSigner(deps);
  const log = { projectId: tree.projectId, origin };
  const begun = await deps.signedHeads?.beginRead(log, tree.size);
  const checkpoint = { origin, size: tree.size, root: await tree.readRoot() };
  await deps.signedHeads?.assertContinues(log, { ...checkpoint, begun });
  const note = await buildSigned(signer, tree.caller ?? tree.projectId, (local) =>
    signCheckpoint(checkpoint, local),
  );
  deps.signedHeads?.keep(log, { ...checkpoint, begun, note });
  return note;
}

export interface LogDescription {
  origin: string;
  /** C2SP signed-note: `<origin>+<key id>+<base64>`. */
  verifierKey: string;
  /** Ed25519, 64 hex digits. */
  publicKey: string;
  size: number;
}

export async function describeLog(deps: TransparencyLogDeps, projectId: string): Promise<LogDescription> {
  const { publicKeyHex } = requireSigner(deps);
  const { size, origin } = await readLogHead(deps.provenance, projectId);
  const verifierKey = formatVerifierKey(toVerifierKey(origin, Buffer.from(publicKeyHex, 'hex')));
  return { origin, verifierKey, publicKey: publicKeyHex, size };
}

export function requireSigner({ signer }: Pick<TransparencyLogDeps, 'signer'>): LogSigner {
  if (signer !== undefined) return signer;
  throw new ServiceError('Unavailable', 'This service has no key to sign its log with.', {
    recovery: 'Set SERVER_SIGNING_KEY or LOG_SIGNER_COMMAND, the same on every node.',
    details: { missing: 'logKey' },
  });
}
