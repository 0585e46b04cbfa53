import {
  type Bundle,
  isAiKey,
  isToolAlone,
  type JsonValue,
  SERVER_ASSERTED_EXTENSIONS,
  type Withholdable,
} from '@colophon/model';
import { isHidden, type PublicationSettings } from './published-terms.js';

/**
 * Matches the form of ids that the service makes. They reveal nothing about the entity. An id with a custom role does
 * not match, because the name of the role may reveal something.
 */
const MADE_ID = /^(?:human|ai|organization):(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Whether digests and proofs may be published. Every withheld value must be digested with a salt. Tools, extensions,
 * sessions and ids are digested without a salt, so a reader could guess such a value and confirm it with the digest. A
 * proof would reveal digests too, because its path contains the digests of neighbouring records.
 */
export function isProvable(bundle: Bundle, options: PublicationSettings): boolean {
  const { entities, actions, attributions } = bundle;
  const withholds = (what: Withholdable) => options.withhold.includes(what);
  const records = [...entities, ...actions, ...attributions];
  const isOpen = (key: string, extension: unknown): boolean => {
    if (isAiKey(key)) return !withholds('tools') && isToolAlone(extension as JsonValue);
    return SERVER_ASSERTED_EXTENSIONS.some((name) => key.startsWith(`${name}@`));
  };
  if (!mayNameIds(bundle, options)) return false;
  if (withholds('tools') && actions.some(({ aiTool }) => aiTool !== undefined)) return false;
  if (!withholds('details')) return true;
  if (actions.some(({ sessionId }) => sessionId !== undefined)) return false;
  return records.every(({ extensions = {} }) =>
    Object.entries(extensions).every(([key, extension]) => isOpen(key, extension)),
  );
}

/** Whether the ids of entities, makers and owners reveal nothing that is withheld. */
function mayNameIds({ entities, resources }: Bundle, options: PublicationSettings): boolean {
  const owners = resources.flatMap(({ createdBy, owner }) => [createdBy, owner]);
  const ids = [...entities.map(({ id }) => id), ...owners.filter((id) => id !== undefined)];
  if (ids.some((id) => isHidden(options, id))) return false;
  if (options.withhold.includes('names') && !ids.every((id) => MADE_ID.test(id))) return false;
  const wallets = options.withhold.includes('wallets')
    ? entities.map(({ wallet }) => wallet?.toLowerCase())
    : [];
  return !wallets.some(
    (wallet) => wallet !== undefined && ids.some((id) => id.toLowerCase().includes(wallet)),
  );
}
