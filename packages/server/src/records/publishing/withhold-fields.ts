import {
  committedBody,
  isJsonObject,
  isProvable,
  type JsonObject,
  type JsonValue,
  type RecordKind,
  type Withholdable,
} from '@colophon/model';
import { mapYielding } from '../../platform/work/map-yielding.js';
import type { PublicationSettings } from '../conversion/published-terms.js';
import type { LeavedBundle } from '../read/read-leaved-history.js';
import type { RecordLeaf } from '../read/record-text.sql.js';

/**
 * Replaces withheld fields by their commitments, and removes the locations of resources. Undefined if the digests or
 * proofs would reveal a withheld value.
 */
export async function withholdFields(
  { bundle, leaves }: LeavedBundle,
  options: PublicationSettings,
  signal?: AbortSignal,
): Promise<LeavedBundle | undefined> {
  if (!isProvable(bundle, options)) return undefined;
  const kept = new Map(leaves.map((leaf) => [`${leaf.kind} ${leaf.id}`, leaf]));
  const closeAll = <Shown extends { id: string }>(
    kind: RecordKind,
    records: readonly Shown[],
  ): Promise<Shown[]> =>
    mapYielding(
      records,
      (record) => {
        const name = `${kind} ${record.id}`;
        const leaf = kept.get(name);
        if (leaf === undefined) return record;
        const closed = closeRecord(record as object as JsonObject, leaf, options);
        kept.set(name, closed.leaf);
        return closed.body as object as Shown;
      },
      signal,
    );
  const shown = {
    ...bundle,
    entities: await closeAll('entity', bundle.entities),
    actions: await closeAll('action', bundle.actions),
    attributions: await closeAll('attribution', bundle.attributions),
    resources: bundle.resources.map(({ extensions, ...resource }) => ({
      ...resource,
      locations: [],
      ...(extensions === undefined || options.withhold.includes('details') ? {} : { extensions }),
    })),
  };
  return { bundle: shown, leaves: leaves.map((leaf) => kept.get(`${leaf.kind} ${leaf.id}`) ?? leaf) };
}

function closeRecord(
  body: JsonObject,
  leaf: RecordLeaf,
  options: PublicationSettings,
): { body: JsonObject; leaf: RecordLeaf } {
  const pointers = Object.keys(leaf.salts).filter((pointer) =>
    options.withhold.includes(classOf(leaf.kind, pointer)),
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

function classOf(kind: RecordKind, pointer: string): Withholdable {
  if (pointer.startsWith('/extensions/')) return 'prompts';
  if (kind === 'attribution') return 'notes';
  return pointer === '/name' ? 'names' : pointer === '/wallet' ? 'wallets' : 'metadata';
}

/** Splits a JSON Pointer (RFC 6901 §4). */
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
