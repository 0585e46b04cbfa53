import type { BindingCode } from '@colophon/model';
import type { ManifestStore } from '../media-engine.js';

interface StatusEntry {
  code: string;
  url?: string;
  explanation?: string;
}

interface Results {
  activeManifest?: Partial<Record<'success' | 'informational' | 'failure', StatusEntry[]>>;
  ingredientDeltas?: { validationDeltas?: { failure?: StatusEntry[] } }[];
}

const EXPLANATIONS: Readonly<Record<BindingCode, string>> = {
  'assertion.dataHash.match': 'the text is unchanged',
  'assertion.dataHash.mismatch': 'the text was changed',
  'assertion.dataHash.malformed': 'the manifest is not at the place that its hash excludes',
  'algorithm.unsupported': 'the hash algorithm of the text is not supported',
};

/** Untrusted signers and time-stamps, and failures of identities (CAWG), do not make the state `Invalid`. */
export function settleBinding(store: ManifestStore, code: BindingCode): ManifestStore {
  const url = `self#jumbf=/c2pa/${store.active_manifest}/c2pa.assertions/c2pa.hash.data`;
  const isReplaced = (one: StatusEntry) => one.code.startsWith('assertion.dataHash.') && one.url === url;
  const results = (store.validation_results ?? {}) as Results;
  const { success = [], informational = [], failure = [] } = results.activeManifest ?? {};
  const verdict = { code, url, explanation: EXPLANATIONS[code] };
  const isMatch = code === 'assertion.dataHash.match';
  const activeManifest = {
    success: [...success.filter((one) => !isReplaced(one)), ...(isMatch ? [verdict] : [])],
    informational: informational.filter((one) => !isReplaced(one)),
    failure: [...failure.filter((one) => !isReplaced(one)), ...(isMatch ? [] : [verdict])],
  };
  const deltas = (results.ingredientDeltas ?? []).flatMap(
    ({ validationDeltas }) => validationDeltas?.failure ?? [],
  );
  const { validation_status: _, ...rest } = store;
  return {
    ...rest,
    validation_results: { ...results, activeManifest },
    validation_state: stateOf(activeManifest, deltas),
  };
}

function stateOf(
  { success, failure }: { success: StatusEntry[]; failure: StatusEntry[] },
  deltas: StatusEntry[],
): ManifestStore['validation_state'] {
  const isHarmless = ({ code }: StatusEntry) => code.endsWith('.untrusted') || code.startsWith('cawg.');
  const holds = (wanted: string) => success.some(({ code }) => code === wanted);
  if (!holds('claimSignature.validated') || ![...failure, ...deltas].every(isHarmless)) return 'Invalid';
  return failure.length === 0 && holds('signingCredential.trusted') ? 'Trusted' : 'Valid';
}
