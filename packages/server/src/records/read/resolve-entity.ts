import type { EntityInput } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { RecordDeps } from '../deps.js';
import { type Namesake, readNamesakes, readStoredEntity } from './records.sql.js';

type ResolveEntityDeps = Pick<RecordDeps, 'identifyEntity' | 'provenance'>;

/** `lacksWallet`: the request has a wallet, but the stored entity has none. */
interface ResolvedEntity {
  id: string;
  lacksWallet: boolean;
}

/**
 * Finds the entity of a request. Returns the id in the request, if it has one. Returns the derived id in three cases:
 * The request lacks a name or a wallet, or has a public key. An entity with the derived id is stored. The project has
 * no entity of this role and name. Otherwise returns the only entity of this role and name with this wallet, or else
 * the only one without a wallet. Throws `Conflict` with the entities of this role and name when none or several of them
 * match, when the match has a public key, or when the match has no wallet and not all entities were compared.
 */
export async function resolveEntity(
  deps: ResolveEntityDeps,
  projectId: string,
  input: EntityInput,
): Promise<ResolvedEntity> {
  const id = await deps.identifyEntity(projectId, input);
  const derived = { id, lacksWallet: false };
  const { role = '', name, wallet, publicKey } = input;
  if (input.id !== undefined || name === undefined || wallet === undefined || publicKey !== undefined)
    return derived;
  if ((await readStoredEntity(deps.provenance, projectId, id)) !== undefined) return derived;
  const namesakes = await readNamesakes(deps.provenance, projectId, { role, name, wallet });
  if (namesakes.length === 0) return derived;
  const owners = namesakes.filter(({ hasThisWallet }) => hasThisWallet);
  const [found, ...others] = owners.length > 0 ? owners : namesakes.filter((one) => one.wallet === null);
  const mayBeAnother = others.length > 0 || (found?.isCut && !found.hasThisWallet);
  if (found === undefined || mayBeAnother || found.hasPublicKey) throw ambiguous(namesakes);
  return { id: found.id, lacksWallet: !found.hasThisWallet };
}

/** Resolves the entity of a recording. Throws `Conflict` also when the stored entity lacks the wallet. */
export async function requireEntityId(
  deps: ResolveEntityDeps,
  projectId: string,
  input: EntityInput,
): Promise<string> {
  const { id, lacksWallet } = await resolveEntity(deps, projectId, input);
  if (lacksWallet) throw ambiguous([{ id, wallet: null }]);
  return id;
}

function ambiguous(namesakes: readonly Pick<Namesake, 'id' | 'wallet'>[]): ServiceError {
  return new ServiceError(
    'Conflict',
    'The project has entities with this role and name, but the request does not identify one of them.',
    {
      recovery:
        'Send the `id` of one of `details.candidates`, or a new `id` for another entity. PATCH /v1/entity/:id adds a wallet to a stored entity.',
      details: { candidates: namesakes.map(({ id, wallet }) => ({ id, wallet })) },
    },
  );
}
