// Fills the map of identifiers so that many keys begin with the same 2 bytes as the key of an identifier in the
// bundles.
import { actionKey, mentionKey } from '@colophon/model';
import { cidOf } from './content-ids.mjs';
import { toActionBody } from './typical-action.mjs';

export const BUNDLES = 40;
const CHAIN = 10;

const contentOf = (bundle, place) => cidOf(`content ${place} of bundle ${bundle}`);
const idOf = (bundle, place) =>
  `00000000-0000-4000-8000-${String(bundle * 10_000 + place).padStart(12, '0')}`;
const prefixOf = (key) => Buffer.from(key).toString('hex', 0, 2);

export function lastOf(bundle) {
  return contentOf(bundle, CHAIN - 1);
}

export function actionsOf(bundle) {
  return Array.from({ length: CHAIN }, (_, place) =>
    toAction(bundle, { input: place - 1, output: place, id: place }),
  );
}

/** The keys of the id and of the output begin with 2-byte prefixes that `fillMap` fills. */
export function furtherActionOf(bundle) {
  const prefixes = listPrefixes();
  const find = (toKey) => {
    for (let place = CHAIN; ; place++) if (prefixes.has(prefixOf(toKey(place)))) return place;
  };
  const output = find((place) => mentionKey(contentOf(bundle, place)));
  return toAction(bundle, { input: CHAIN - 1, output, id: find((place) => actionKey(idOf(bundle, place))) });
}

function toAction(bundle, { input, output, id }) {
  const inputs = input < 0 ? [] : [contentOf(bundle, input)];
  const body = { inputs, output: contentOf(bundle, output), sessionId: `session-${bundle}` };
  return { ...toActionBody(body), id: idOf(bundle, id) };
}

function listPrefixes() {
  const prefixes = new Set();
  for (let bundle = 0; bundle < BUNDLES; bundle++)
    for (let place = 0; place < CHAIN; place++) {
      prefixes.add(prefixOf(mentionKey(contentOf(bundle, place))));
      prefixes.add(prefixOf(actionKey(idOf(bundle, place))));
    }
  return prefixes;
}

/**
 * Adds one entry below each prefix of 2 bytes, and `density` entries below each prefix of the bundles. Record a
 * performer before this call, and the first action after it. The service computes the roots at the first proof, because
 * `has_gaps` is true.
 */
export async function fillMap(query, density) {
  await query(
    `with project as (select project_id from provenance.entity limit 1),
       entry as (
         insert into provenance.record_map_entry (project_id, name_key, chains, leaf_hash)
         select p.project_id, substr(int4send(n), 3) || substr(sha256(int4send(n)), 3), '\\x', sha256(int4send(n))
         from project p, generate_series(0, 65535) as n returning *
       ), node as (
         insert into provenance.record_map_node (project_id, prefix, hash)
         select project_id, substr(name_key, 1, 2), leaf_hash from entry returning 1
       )
     insert into provenance.record_map (project_id, leaves, names, has_gaps)
     select project_id, 0, 65536, true from project`,
    [],
  );
  await query(
    `insert into provenance.record_map_entry (project_id, name_key, chains, leaf_hash)
     select filled.project_id, decode(filled.prefix, 'hex') || substr(filled.key, 3), '\\x', sha256(filled.key)
     from (select m.project_id, asked.prefix, sha256(convert_to(asked.prefix || n, 'utf8')) as key
           from provenance.record_map m, unnest($1::text[]) as asked(prefix), generate_series(2, $2::int) as n
           order by key) filled`,
    [[...listPrefixes()], density - 1],
  );
}
