import {
  type Bundle,
  committedBody,
  isAiKey,
  isJsonObject,
  isToolAlone,
  type JsonObject,
  type JsonValue,
  type RecordKind,
  SERVER_ASSERTED_EXTENSIONS,
  type Withholdable,
} from '@colophon/model';
import type { LeavedBundle } from '../read-leaved-history.js';
import type { RecordLeaf } from '../record-leaf.js';
import { isHidden, type PublishedTerms } from './published-terms.js';

/** Ids that the service made: they say nothing of whose they are. A role of one's own may. */
const MADE_ID = /^(?:human|ai|organization):(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Whether everything that is withheld stands in the log as a commitment under a salt. What is digested in the open
 * (tools, extensions, sessions, ids) could be guessed from the digest: then no digest may be shown, nor a proof, whose path
 * holds digests of neighbours.
 */
export function isProvable(bundle: Bundle, terms: PublishedTerms): boolean {
  const { entities, actions, attributions } = bundle;
  const withholds = (what: Withholdable) => terms.withhold.includes(what);
  const records = [...entities, ...actions, ...attributions];
  const isOpen = (key: string, extension: unknown): boolean => {
    if (isAiKey(key)) return !withholds('tools') && isToolAlone(extension as JsonValue);
    return SERVER_ASSERTED_EXTENSIONS.some((name) => key.startsWith(`${name}@`));
  };
  if (!mayNameIds(bundle, terms)) return false;
  if (withholds('tools') && actions.some(({ aiTool }) => aiTool !== undefined)) return false;
  if (!withholds('details')) return true;
  if (actions.some(({ sessionId }) => sessionId !== undefined)) return false;
  return records.every(({ extensions = {} }) =>
    Object.entries(extensions).every(([key, extension]) => isOpen(key, extension)),
  );
}

/** Whether ids may be shown, also of whom content belongs to without a part in its history. */
function mayNameIds({ entities, resources }: Bundle, terms: PublishedTerms): boolean {
  const owners = resources.flatMap(({ createdBy, owner }) => [createdBy, owner]);
  const ids = [...entities.map(({ id }) => id), ...owners.filter((id) => id !== undefined)];
  if (ids.some((id) => isHidden(terms, id))) return false;
  if (terms.withhold.includes('names') && !ids.every((id) => MADE_ID.test(id))) return false;
  const wallets = terms.withhold.includes('wallets')
    ? entities.map(({ wallet }) => wallet?.toLowerCase())
    : [];
  return !wallets.some(
    (wallet) => wallet !== undefined && ids.some((id) => id.toLowerCase().includes(wallet)),
  );
}

/** The bundle without what is withheld, each field replaced by its commitment; undefined where that is not enough. */
export function withholdFields(
  { bundle, leaves }: LeavedBundle,
  terms: PublishedTerms,
): LeavedBundle | undefined {
  if (!isProvable(bundle, terms)) return undefined;
  const kept = new Map(leaves.map((leaf) => [`${leaf.kind} ${leaf.id}`, leaf]));
  const closeAll = <Shown extends { id: string }>(kind: RecordKind, records: readonly Shown[]): Shown[] =>
    records.map((record) => {
      const name = `${kind} ${record.id}`;
      const leaf = kept.get(name);
      if (leaf === undefined) return record;
      const closed = closeRecord(record as object as JsonObject, leaf, terms);
      kept.set(name, closed.leaf);
      return closed.body as object as Shown;
    });
  const shown = {
    ...bundle,
    entities: closeAll('entity', bundle.entities),
    actions: closeAll('action', bundle.actions),
    attributions: closeAll('attribution', bundle.attributions),
    resources: bundle.resources.map(({ extensions, ...resource }) => ({
      ...resource,
      // Where the project keeps it is its own matter.
      locations: [],
      ...(extensions === undefined || terms.withhold.includes('details') ? {} : { extensions }),
    })),
  };
  return { bundle: shown, leaves: leaves.map((leaf) => kept.get(`${leaf.kind} ${leaf.id}`) ?? leaf) };
}

function closeRecord(
  body: JsonObject,
  leaf: RecordLeaf,
  terms: PublishedTerms,
): { body: JsonObject; leaf: RecordLeaf } {
  const pointers = Object.keys(leaf.salts).filter((pointer) =>
    terms.withhold.includes(classOf(leaf.kind, pointer)),
  );
  if (pointers.length === 0) return { body, leaf };
  const committed = committedBody(leaf.kind, body, leaf.salts);
  const erased = { ...leaf.erased };
  let shown = body;
  for (const pointer of pointers) {
    const names = toNames(pointer);
    const { c } = Object(names.reduce<JsonValue | undefined>(memberOf, committed)) as { c?: unknown };
    if (typeof c !== 'string') throw new Error(`The field ${pointer} has a salt and no commitment`);
    erased[pointer] = c;
    shown = without(shown, names);
  }
  const salts = Object.fromEntries(
    Object.entries(leaf.salts).filter(([pointer]) => !pointers.includes(pointer)),
  );
  return { body: shown, leaf: { ...leaf, salts, erased } };
}

/** What a personal field is, as publications call it. */
function classOf(kind: RecordKind, pointer: string): Withholdable {
  if (pointer.startsWith('/extensions/')) return 'prompts';
  if (kind === 'attribution') return 'notes';
  return pointer === '/name' ? 'names' : pointer === '/wallet' ? 'wallets' : 'metadata';
}

/** RFC 6901 §4. */
function toNames(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return value !== undefined && isJsonObject(value) ? value[name] : undefined;
}

function without(object: JsonObject, [name = '', ...deeper]: readonly string[]): JsonObject {
  const { [name]: member, ...rest } = object;
  if (deeper.length === 0 || member === undefined || !isJsonObject(member)) return rest;
  return { ...object, [name]: without(member, deeper) };
}
