import type { JsonValue } from '../canonical-json.js';
import { CORRECTION_EXTENSION, isCorrectionAlone } from '../extensions/correction.js';
import { isTermsAlone, LICENSE_EXTENSION } from '../extensions/license.js';
import { MARK_EXTENSION } from '../extensions/mark.js';
import type { Bundle } from '../records/bundle.js';
import { SERVER_ASSERTED_EXTENSIONS } from '../records/extensions.js';
import { isAiKey, isDisclosureAlone, isToolAlone } from './ai-extension.js';
import type { Publication } from './publication.js';

/** A choice of a publication that can make its history unverifiable. */
export type UnprovableChoice = 'hiddenEntities' | 'names' | 'wallets' | 'tools' | 'license' | 'details';

/** Ids that the service created reveal nothing. The name of a custom role can, so its ids do not match. */
const MADE_ID = /^(?:human|ai|organization):(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Returns the choices of a publication that make a proof of its history impossible. Returns an empty list if a proof is
 * possible. A proof contains the digests of records, and its paths contain the hashes of neighbouring records. Tools,
 * extensions, sessions and ids are digested without a salt. So if one of them is withheld, a reader could guess it and
 * confirm the guess with a digest. Only values that are digested with a salt can be withheld safely.
 *
 * `withhold` must contain `details` if it contains any other kind of data, or if an entity is hidden. The result
 * contains `license` if a record has a licence, `withhold` contains `details`, and the setting `license` is false.
 *
 * @example
 * const bundle = { cid: 'b', entities: [], actions: [], attributions: [], resources: [], complete: true };
 * findUnprovable(bundle, { withhold: ['details'], hiddenEntities: [] }); // => []
 */
export function findUnprovable(bundle: Bundle, terms: Terms): UnprovableChoice[] {
  const reveals = listReveals(bundle, terms);
  return (Object.keys(reveals) as UnprovableChoice[]).filter((choice) => reveals[choice]());
}

/**
 * Whether a proof of a history is possible with these choices of a publication. Stops at the first choice that makes a
 * proof impossible. See `findUnprovable`.
 *
 * @example
 * const bundle = { cid: 'b', entities: [], actions: [], attributions: [], resources: [], complete: true };
 * isProvable(bundle, { withhold: ['details'], hiddenEntities: [] }); // => true
 */
export function isProvable(bundle: Bundle, terms: Terms): boolean {
  // The search for wallets takes most of the time.
  const { wallets, ...others } = listReveals(bundle, terms);
  return !Object.values(others).some((reveals) => reveals()) && !wallets();
}

type Terms = Pick<Publication, 'hiddenEntities'> & {
  withhold: readonly string[];
  license?: boolean | undefined;
};

/** Whether a proof would reveal data that the publication withholds, for each choice. */
function listReveals(
  bundle: Bundle,
  { withhold, hiddenEntities, license = false }: Terms,
): Record<UnprovableChoice, () => boolean> {
  const ids = listIds(bundle);
  const hidden = new Set(hiddenEntities === 'all' ? [] : hiddenEntities);
  const without = (choice: string, reveals: () => boolean) => () => withhold.includes(choice) && reveals();
  return {
    hiddenEntities: () => ids.some((id) => hiddenEntities === 'all' || hidden.has(id)),
    names: without('names', () => !ids.every((id) => MADE_ID.test(id))),
    wallets: without('wallets', () => hasWalletInId(bundle, ids)),
    tools: without('tools', () => hasTool(bundle)),
    license: without(
      'details',
      () => !license && listExtensions(bundle).some(([key]) => key === LICENSE_EXTENSION),
    ),
    details: without('details', () => hasDetails(bundle)),
  };
}

/** Lists the ids of the entities, and of the makers and owners of contents. */
function listIds({ entities, resources }: Bundle): string[] {
  const owners = resources.flatMap(({ createdBy, owner }) => [createdBy, owner]);
  return [...entities.map(({ id }) => id), ...owners.filter((id) => id !== undefined)];
}

const EVM_ADDRESS = /0x[0-9a-f]{40}/g;
/** Substrings of ids to compare with wallets that are not EVM addresses. This takes about 15 ms. */
const MAX_PARTS = 2 ** 17;

/**
 * The time grows with the length of the ids, not with the number of wallets. Returns true for more than `MAX_PARTS`
 * substrings.
 */
function hasWalletInId({ entities }: Bundle, ids: readonly string[]): boolean {
  const wallets = new Set(entities.flatMap(({ wallet }) => wallet?.toLowerCase() ?? []));
  if (wallets.size === 0) return false;
  const texts = ids.filter((id) => !MADE_ID.test(id)).map((id) => id.toLowerCase());
  if (texts.some((text) => text.match(EVM_ADDRESS)?.some((address) => wallets.has(address)))) return true;
  const others = [...wallets].filter((wallet) => wallet.replace(EVM_ADDRESS, '') !== '');
  const lengths = [...new Set(others.map((wallet) => wallet.length))];
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length * lengths.length > MAX_PARTS) return true;
  return texts.some((text) =>
    lengths.some((size) => listParts(text, size).some((part) => wallets.has(part))),
  );
}

function listParts(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) =>
    text.slice(at, at + length),
  );
}

function hasTool(bundle: Bundle): boolean {
  if (bundle.actions.some(({ aiTool }) => aiTool !== undefined)) return true;
  return listExtensions(bundle).some(([key]) => isAiKey(key) || key === MARK_EXTENSION);
}

function hasDetails(bundle: Bundle): boolean {
  if (bundle.actions.some(({ sessionId }) => sessionId !== undefined)) return true;
  return listExtensions(bundle).some(
    ([key, extension, inputCids]) =>
      !isOfOtherChoice(key, extension, inputCids) &&
      !SERVER_ASSERTED_EXTENSIONS.some((name) => key.startsWith(`${name}@`)),
  );
}

/**
 * Whether an extension contains only data that choices of a publication other than `details` control. Such data is an
 * AI tool and prompts, the AI disclosure of a mark, or the terms of a licence. Also true for an extension that only
 * names a corrected action. A mark can also name one of `inputCids`, the inputs of its action.
 *
 * @example
 * isOfOtherChoice('ext:license@1.0.0', { type: 'CC-BY-4.0' }); // => true
 */
export function isOfOtherChoice(key: string, extension: unknown, inputCids?: readonly string[]): boolean {
  if (isAiKey(key)) return isToolAlone(extension as JsonValue);
  if (key === MARK_EXTENSION) return isDisclosureAlone(extension as JsonValue, inputCids);
  if (key === CORRECTION_EXTENSION) return isCorrectionAlone(extension);
  return key === LICENSE_EXTENSION && isTermsAlone(extension);
}

/** Lists the extensions of all records. For an action with a mark, returns its inputs too. */
function listExtensions(bundle: Bundle): [key: string, extension: unknown, inputCids?: string[]][] {
  const { entities, actions, attributions, aliases = {} } = bundle;
  const entriesOf = ({ extensions = {} }: { extensions?: Record<string, unknown> | undefined }) =>
    Object.entries(extensions);
  return [
    ...[...entities, ...attributions].flatMap(entriesOf),
    ...actions.flatMap((action): [string, unknown, string[]?][] => {
      const entries = entriesOf(action);
      if (!entries.some(([key]) => key === MARK_EXTENSION)) return entries;
      const inputCids = action.inputCids.flatMap((cid) => [cid, aliases[cid] ?? cid]);
      return entries.map(([key, extension]) => [key, extension, inputCids]);
    }),
  ];
}
