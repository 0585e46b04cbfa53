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
 * Compares wallets only for a request with a name and a wallet, but without an id and a public key. For such a request,
 * returns the derived id if it is stored, or if the project has no entity of this role and name. Otherwise returns the
 * only entity with this wallet, or else the only one without a wallet. Throws `Conflict` when the match is not certain
 * or has a public key.
 */
export async function resolveEntity(
  deps: ResolveEntityDeps,
  projectId: string,
  input: EntityInput,
): Promise<ResolvedEntity> {
  const { provenance } = deps;
  return resolve(await identify(deps, projectId, input), {
    isStored: async (id) => (await readStoredIds(provenance, projectId, [id])).has(id),
    compare: async ({ role, name, wallet }) => ({
      ...toNamesakes(await readNamesakes(provenance, projectId, { role, name, wallets: [wallet] })),
      place: 1,
    }),
  });
}

interface NamedWallet {
  role: string;
  name: string;
  wallet: string;
}

/** `id`: the id in the request, or else the derived id. `sought`: undefined when the id is certain. */
interface Identified {
  id: string;
  sought: NamedWallet | undefined;
}

/** `owners`: the entities with each requested wallet, by its position. */
interface Namesakes {
  all: readonly Namesake[];
  owners: ReadonlyMap<number, readonly Namesake[]>;
  withoutWallet: readonly Namesake[];
}

interface Lookups {
  isStored(id: string): Promise<boolean>;
  /** `place`: the place of this wallet in the request. */
  compare(sought: NamedWallet): Promise<Namesakes & { place: number }>;
}

function toNamesakes(all: readonly Namesake[]): Namesakes {
  const owners = new Map<number, Namesake[]>();
  for (const one of all) {
    for (const place of one.places) {
      const found = owners.get(place);
      if (found === undefined) owners.set(place, [one]);
      else found.push(one);
    }
  }
  return { all, owners, withoutWallet: all.filter(({ wallet }) => wallet === null) };
}

const NO_NAMESAKES = toNamesakes([]);

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
  const { all, owners: byPlace, withoutWallet, place } = await lookups.compare(sought);
  if (all.length === 0) return derived;
  const owners = byPlace.get(place) ?? [];
  const [found, ...others] = owners.length > 0 ? owners : withoutWallet;
  const hasThisWallet = owners.length > 0;
  const mayBeAnother = others.length > 0 || (found?.isCut && !hasThisWallet);
  if (found === undefined || mayBeAnother || found.hasPublicKey) {
    const rest = all.filter((one) => one.wallet !== null && !one.places.includes(place));
    throw ambiguous([...owners, ...withoutWallet, ...rest].slice(0, MAX_CANDIDATES));
  }
  return { id: found.id, lacksWallet: !hasThisWallet };
}

/** Throws `Conflict` also when the stored entity lacks the wallet. */
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

/** Maximum number of entities in an error. */
const MAX_CANDIDATES = 50;
/** Maximum number and JSON size of the stored entities with which a batch is compared. */
const MAX_COMPARED = { entities: 5_000, mebibytes: 8 };
/** Maximum number of ids or names in one statement. */
const PER_STATEMENT = 200;

/**
 * Does the same as `requireEntityId` for a batch. The returned function resolves the entity at an index. This function
 * sends at most one statement for each role and name, and throws `PayloadTooLarge` when it would compare too many
 * entities.
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
  const compare = compareTogether(deps, projectId, identified);
  const lookups: Lookups = {
    isStored: async (id) => stored.has(id),
    compare: async (sought) => (taken.has(sought.name) ? compare(sought) : { ...NO_NAMESAKES, place: 1 }),
  };
  return async (index) => {
    const one = identified[index];
    if (one === undefined) throw new Error('The batch has no entity at this index');
    return assertHasWallet(await resolve(one, lookups));
  };
}

interface NameGroup {
  role: string;
  name: string;
  places: Map<string, number>;
  namesakes?: Promise<Namesakes>;
}

/** Reads the stored entities of each role and name only once. */
function compareTogether(
  { provenance }: ResolveEntityDeps,
  projectId: string,
  identified: readonly Identified[],
): Lookups['compare'] {
  const groups = new Map<string, NameGroup>();
  const groupOf = ({ role, name }: NamedWallet) => {
    const key = JSON.stringify([role, name]);
    const group: NameGroup = groups.get(key) ?? { role, name, places: new Map() };
    groups.set(key, group);
    return group;
  };
  for (const { sought } of identified) {
    if (sought === undefined) continue;
    const { places } = groupOf(sought);
    if (!places.has(sought.wallet)) places.set(sought.wallet, places.size + 1);
  }
  let [entities, bytes] = [0, 0];
  const read = async ({ role, name, places }: NameGroup) => {
    if (entities > MAX_COMPARED.entities || bytes > MAX_COMPARED.mebibytes * 2 ** 20)
      throw tooManyNamesakes();
    const all = await readNamesakes(provenance, projectId, { role, name, wallets: [...places.keys()] });
    entities += all.length;
    bytes += all.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    return toNamesakes(all);
  };
  return async (sought) => {
    const group = groupOf(sought);
    group.namesakes ??= read(group);
    return { ...(await group.namesakes), place: group.places.get(sought.wallet) ?? 0 };
  };
}

function tooManyNamesakes(): ServiceError {
  const { entities, mebibytes } = MAX_COMPARED;
  return new ServiceError(
    'PayloadTooLarge',
    `The project has more than ${entities} entities with the roles and names of this batch, or more than ${mebibytes} MiB of their JSON.`,
    { recovery: 'Send the `id` of each entity that has a wallet, or send fewer names in one batch.' },
  );
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
