import { formatVerifierKey, type NoteSigner, signCheckpoint, toVerifierKey } from '@colophon/model';
import { ServiceError } from '../errors.js';
import { readLogHead } from './log.sql.js';
import type { LogNeeds } from './needs.js';
import { openTree, type TreeReader } from './tree-reader.js';

/** The current checkpoint of a project's log: it covers all that was acknowledged before the call. */
export async function readCheckpoint(needs: LogNeeds, projectId: string): Promise<string> {
  const { size, origin } = await readLogHead(needs.provenance, projectId);
  return signTree(needs, origin, await openTree(needs.provenance, projectId, size));
}

/** The signed note that states this tree of the log of that name. */
export async function signTree(needs: LogNeeds, origin: string, tree: TreeReader): Promise<string> {
  const signer = requireSigner(needs);
  return signCheckpoint({ origin, size: tree.size, root: await tree.readRoot() }, signer);
}

/** What a project's log is called, the key that it is verified with, and how many leaves it has. */
export interface LogDescription {
  origin: string;
  /** C2SP signed-note: `<origin>+<key id>+<base64>`. */
  verifierKey: string;
  /** Ed25519, 64 hex digits. */
  publicKey: string;
  size: number;
}

/** Describes a project's log. */
export async function describeLog(needs: LogNeeds, projectId: string): Promise<LogDescription> {
  const { publicKeyHex } = requireSigner(needs);
  const { size, origin } = await readLogHead(needs.provenance, projectId);
  const verifierKey = formatVerifierKey(toVerifierKey(origin, Buffer.from(publicKeyHex, 'hex')));
  return { origin, verifierKey, publicKey: publicKeyHex, size };
}

/** The key of the log; throws `Unavailable` when there is none. */
export function requireSigner({ signer }: LogNeeds): NoteSigner {
  if (signer !== undefined) return signer;
  throw new ServiceError('Unavailable', 'This service has no key to sign its log with.', {
    recovery: 'Set SERVER_SIGNING_KEY, the same on every node.',
  });
}
