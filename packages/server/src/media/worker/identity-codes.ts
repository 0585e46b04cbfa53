import type { ManifestStore } from '../media-engine.js';

const KINDS = ['success', 'informational', 'failure'] as const;

interface Code {
  code: string;
}

type Codes = Partial<Record<(typeof KINDS)[number], Code[]>>;

export function hasIdentity({ manifests }: ManifestStore): boolean {
  const all = Object.values(manifests) as { assertions?: { label?: string }[] }[];
  return all.some(({ assertions = [] }) =>
    assertions.some(({ label }) => label?.startsWith('cawg.identity') === true),
  );
}

/**
 * Takes the identity codes from `judged`, a second reading of the file. The engine lists the identity codes of all
 * manifests in the active one. `Valid` becomes `Trusted` if the claim signer is trusted and no failure remains.
 */
export function withIdentityCodes(store: ManifestStore, judged: ManifestStore): ManifestStore {
  const codes = joinCodes(codesOf(store), codesOf(judged));
  const isTrusted =
    store.validation_state === 'Valid' &&
    codes.failure?.length === 0 &&
    codes.success?.some(({ code }) => code === 'signingCredential.trusted');
  return {
    ...store,
    validation_state: isTrusted ? 'Trusted' : store.validation_state,
    validation_results: { ...store.validation_results, activeManifest: codes },
  };
}

function codesOf({ validation_results: results }: ManifestStore): Codes {
  return (results?.activeManifest ?? {}) as Codes;
}

function joinCodes(ours: Codes, theirs: Codes): Codes {
  const isOfIdentity = ({ code }: Code) => code.startsWith('cawg.');
  const joined = KINDS.map((kind) => [
    kind,
    [
      ...(ours[kind] ?? []).filter((code) => !isOfIdentity(code)),
      ...(theirs[kind] ?? []).filter(isOfIdentity),
    ],
  ]);
  return Object.fromEntries(joined) as Codes;
}
