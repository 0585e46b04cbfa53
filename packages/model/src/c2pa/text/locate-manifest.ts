import { findBlocks, hasRemnant } from './armour.js';
import { findElements } from './html-elements.js';
import { type TextCarrier, type TextMethod, toBytewise } from './text-carrier.js';
import { findRemains, findWrappers } from './variation-selectors.js';

/**
 * The result of the search for a manifest in a text. `none`: the text contains no part of a manifest. `store`: it
 * contains one manifest store, which is not verified yet. `remote`: it contains only the address of a manifest.
 * `damaged`: it contains a damaged manifest, or several manifests (damaged or not); `code` is the C2PA status code. A
 * damaged manifest is never `none`.
 */
export type TextManifest =
  | { kind: 'none' }
  | { kind: 'store'; store: Uint8Array; carrier: TextCarrier }
  | { kind: 'remote'; url: string }
  | { kind: 'damaged'; code: string };

const CODE_OF_MANY: Readonly<Record<TextMethod, string>> = {
  unstructured: 'manifest.text.multipleWrappers',
  structured: 'manifest.structuredText.multipleReferences',
  html: 'manifest.html.multipleManifests',
};

const REMNANT_CODE = 'manifest.structuredText.noManifest';

/**
 * Finds the C2PA manifest of a UTF-8 text: in variation selectors, between delimiters, or in an element that contains a
 * store (C2PA 2.4 §A.7 to §A.9). With `isHtml`, an element without a store counts too. Never throws. The time is linear
 * in the size of the text.
 *
 * @example
 * locateTextManifest(new TextEncoder().encode('A text.'), { isHtml: false }); // => { kind: 'none' }
 */
export function locateTextManifest(text: Uint8Array, { isHtml }: { isHtml: boolean }): TextManifest {
  const bytewise = toBytewise(text);
  const [carrier, other] = listCarriers(text, { isHtml, bytewise });
  if (carrier === undefined) return locateRemains(text, bytewise);
  if (other !== undefined)
    return { kind: 'damaged', code: carrier.fault ?? other.fault ?? toManyCode(carrier, other) };
  if (carrier.store !== undefined) return { kind: 'store', store: carrier.store, carrier };
  if (carrier.url !== undefined) return { kind: 'remote', url: carrier.url };
  return { kind: 'damaged', code: carrier.fault ?? 'general.error' };
}

function locateRemains(text: Uint8Array, bytewise: string): TextManifest {
  if (hasRemnant(bytewise)) return { kind: 'damaged', code: REMNANT_CODE };
  const code = findRemains(text)?.fault;
  return code === undefined ? { kind: 'none' } : { kind: 'damaged', code };
}

/**
 * At most two carriers of each method. In text that is not HTML, an element is a carrier only if it contains a store;
 * without one, it is probably an example.
 */
export function listCarriers(
  text: Uint8Array,
  { isHtml, bytewise = toBytewise(text) }: { isHtml: boolean; bytewise?: string },
): TextCarrier[] {
  const elements = findElements(bytewise).filter(({ store }) => isHtml || store !== undefined);
  return [...elements, ...findBlocks(bytewise), ...findWrappers(text)];
}

function toManyCode({ method }: TextCarrier, other: TextCarrier): string {
  return CODE_OF_MANY[method === other.method ? method : 'unstructured'];
}
