// Valid bundles of version 2 and their changes, for the vectors.
import { copy } from './forge.mjs';
import { makeBundle, signAgain, toRecords } from './forge-log.mjs';

const toAction = (id, inputCids, outputCids) => [
  'action',
  {
    id,
    type: 'transform',
    performedBy: 'ann',
    inputCids,
    outputCids,
    extensions: { 'ext:x@1.0.0': { deep: [1.5] } },
  },
];
const toAttribution = (id, targets, more = {}) => [
  'attribution',
  { id, entityId: 'ann', role: 'creator', ...targets, ...more, createdAt: 'T' },
];
export const RECORDS = toRecords([
  ['entity', { id: 'ann', role: 'human', name: 'Ann \u00c4', createdAt: 'T' }],
  ['entity', { id: 'bot', role: 'ai', createdAt: 'T' }],
  toAction('a1', [], ['source']),
  toAttribution('t1', { actionId: 'a1', resourceCid: 'source' }),
  toAction('a2', ['source'], ['made', 'aside']),
  toAttribution('t2', { actionId: 'a2', resourceCid: 'made' }, { note: 'mine' }),
  toAttribution('t3', { resourceCid: 'made' }, { entityId: 'bot', role: 'contributor', weight: 2 }),
  toAttribution('t4', { actionId: 'a2' }, { role: 'source' }),
  toAttribution('t5', { resourceCid: 'aside' }, { role: 'contributor' }),
  toAction('a3', ['made'], ['later']),
  toAttribution('t6', { actionId: 'a3', resourceCid: 'made' }, { role: 'ext:own' }),
  toAction('a4', ['alias'], []),
  toAttribution('t7', { resourceCid: 'alias' }),
  toAction('a5', [], ['unrelated']),
  toAttribution('t8', { actionId: 'a5', resourceCid: 'unrelated' }),
]);
export const MADE = ['ann', 'bot', 'a1', 't1', 'a2', 't2', 't3', 't4', 't5', 't6'];
export const ALIASED = ['ann', 'a4', 't7'];
export const has =
  (ids, without = []) =>
  ({ body }) =>
    ids.includes(body.id) && !without.includes(body.id);
export const swap = (records, a, b) => {
  const places = [a, b].map((id) => records.findIndex(({ body }) => body.id === id));
  const [one, other] = places.map((place) => records[place]);
  return records.with(places[0], other).with(places[1], one);
};

export const made = (options = {}) =>
  makeBundle({ records: RECORDS, cid: 'made', shown: has(MADE), ...options });
export const aliased = (options = {}) =>
  makeBundle({
    ...{ records: RECORDS, cid: 'canonical', direction: 'descendants', aliases: { alias: 'canonical' } },
    shown: has(ALIASED),
    ...options,
  });
export const changed = async (change, base = made()) => {
  const bundle = copy(await base);
  change(bundle);
  return bundle;
};
export const lied = async (change, base) => signAgain(await changed(change, base));
export const proofOf = ({ proof }, id) => proof.records.find((one) => one.id === id);
export const mentionsOf = ({ proof }) => proof.mentions;
export const drop = (bundle, list, id) => {
  bundle[list] = bundle[list].filter((one) => one.id !== id);
  bundle.proof.records = bundle.proof.records.filter((one) => one.id !== id);
};
