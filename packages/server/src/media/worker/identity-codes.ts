import type { ManifestStore } from '../media-engine.js';

const KINDS = ['success', 'informational', 'failure'] as const;

interface Code {
  code: string;
}

type Codes = Partial<Record<(typeof KINDS)[number], Code[]>>;

/** Whether somebody put their name to the manifest, or to that of an earlier version or a part, beside its signer. */
export function hasIdentity({ manifests }: ManifestStore): boolean {
  const all = Object.values(manifests) as { assertions?: { label?: string }[] }[];
  return all.some(({ assertions = [] }) =>
    assertions.some(({ label }) => label?.startsWith('cawg.identity') === true),
  );
}

/**
 * The store with what another reading says of identities; the engine lists those of all manifests with the codes of
 * the active one. When nothing was held against it but
 * an identity that the other reading confirms, its signer is trusted as before.
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
