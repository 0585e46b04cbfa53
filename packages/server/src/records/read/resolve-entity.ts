import type { EntityInput } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { mapYielding } from '../../platform/work/map-yielding.js';
import type { RecordDeps } from '../deps.js';
import { type Namesake, readNamesakes, readStoredIds, readTakenNames } from './records.sql.js';

type ResolveEntityDeps = Pick<RecordDeps, 'identifyEntity' | 'provenance'>;

/** `lacksWallet`: the request has a wallet, but the stored entity has none. */
interface ResolvedEntity {
  id: string;
  lacksWallet: boolean;
}

/**
 * Finds the entity of a request. Returns the id in the request, if it has one. Returns the derived id in three cases:
 * (1) The request lacks a name or a wallet, or has a public key. (2) An entity with the derived id is stored. (3) The
 * project has no entity of this role and name. Otherwise returns the match: the only entity of this role and name with
 * this wallet, or else the only one without a wallet. Throws `Conflict` with the entities of this role and name when
 * none or several of them match, when the match has a public key, or when the match has no wallet and not all entities
 * were compared.
 */
export async function resolveEntity(
  deps: ResolveEntityDeps,
  projectId: string,
  input: EntityInput,
): Promise<ResolvedEntity> {
  const { provenance } = deps;
  return resolve(await identify(deps, projectId, input), {
    isStored: async (id) => (await readStoredIds(provenance, projectId, [id])).has(id),
    listNamesakes: (sought) => readNamesakes(provenance, projectId, sought),
  });
}

interface NamedWallet {
  role: string;
  name: string;
  wallet: string;
}

/** An entity of a request with its derived id. `sought`: undefined when the id is certain. */
interface Identified {
  id: string;
  sought: NamedWallet | undefined;
}

interface Lookups {
  isStored(id: string): Promise<boolean>;
  listNamesakes(sought: NamedWallet): Promise<Namesake[]>;
}

async function identify(
  { identifyEntity }: ResolveEntityDeps,
  projectId: string,
  input: EntityInput,
): Promise<Identified> {
  const id = await identifyEntity(projectId, input);
  const { role = '', name, wallet, publicKey } = input;
  const isCertain =
    input.id !== undefined || name === undefined || wallet === undefined || publicKey !== undefined;
  return { id, sought: isCertain ? undefined : { role, name, wallet } };
}

async function resolve({ id, sought }: Identified, lookups: Lookups): Promise<ResolvedEntity> {
  const derived = { id, lacksWallet: false };
  if (sought === undefined || (await lookups.isStored(id))) return derived;
  const namesakes = await lookups.listNamesakes(sought);
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
  return assertHasWallet(await resolveEntity(deps, projectId, input));
}

function assertHasWallet({ id, lacksWallet }: ResolvedEntity): string {
  if (lacksWallet) throw ambiguous([{ id, wallet: null }]);
  return id;
}

/** Maximum number of ids or names in one statement. */
const PER_STATEMENT = 200;

/**
 * Like `requireEntityId`, for the entities of a batch. First reads which ids and which names are stored. One statement
 * reads up to 200 ids or 200 names. When the signal aborts, rejects before the next of these statements. Returns a
 * function that resolves the entity at an index. This function sends a statement only to compare stored entities of
 * the same name.
 */
export async function resolveTogether(
  deps: ResolveEntityDeps,
  projectId: string,
  { entities, signal }: { entities: readonly EntityInput[]; signal?: AbortSignal | undefined },
): Promise<(index: number) => Promise<string>> {
  const { provenance } = deps;
  const identified = await mapYielding(entities, (input) => identify(deps, projectId, input), signal);
  const uncertain = identified.filter(({ sought }) => sought !== undefined);
  const stored = new Set<string>();
  for (const part of toParts(uncertain.map(({ id }) => id))) {
    signal?.throwIfAborted();
    for (const id of await readStoredIds(provenance, projectId, part)) stored.add(id);
  }
  const names = uncertain.flatMap(({ id, sought }) => (sought && !stored.has(id) ? [sought.name] : []));
  const taken = new Set<string>();
  for (const part of toParts([...new Set(names)])) {
    signal?.throwIfAborted();
    for (const name of await readTakenNames(provenance, projectId, part)) taken.add(name);
  }
  const lookups: Lookups = {
    isStored: async (id) => stored.has(id),
    listNamesakes: async (sought) =>
      taken.has(sought.name) ? readNamesakes(provenance, projectId, sought) : [],
  };
  return async (index) => {
    const one = identified[index];
    if (one === undefined) throw new Error('The batch has no entity at this index');
    return assertHasWallet(await resolve(one, lookups));
  };
}

function toParts<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / PER_STATEMENT) }, (_, part) =>
    items.slice(part * PER_STATEMENT, (part + 1) * PER_STATEMENT),
  );
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
