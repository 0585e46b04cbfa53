import type { ManifestStore } from './manifest-store.js';

const STAMPED = /^timeStamp\.(?:trusted|validated|untrusted)$/;
const SIGNATURE_OF = /\/c2pa\/([^/]+)\/c2pa\.signature$/;

/**
 * Maps the label of a manifest to the name of its authority. c2pa-rs states the name only in the explanation of a
 * status code: `timestamp message digest matched: <name>`.
 */
export function timestampAuthorities(store: ManifestStore): Map<string, string> {
  const ingredients = [...store.manifests.values()].flatMap((manifest) => manifest.ingredients);
  const authorities = new Map<string, string>();
  for (const { code, url, explanation } of [store, ...ingredients].flatMap(({ codes }) => codes)) {
    const label = SIGNATURE_OF.exec(url ?? '')?.[1];
    const name = explanation?.split(': ').slice(1).join(': ');
    if (!STAMPED.test(code) || label === undefined || !name || authorities.has(label)) continue;
    authorities.set(label, name);
  }
  return authorities;
}
