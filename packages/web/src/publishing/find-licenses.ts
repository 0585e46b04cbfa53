import { type Bundle, describeBundle, licenseOf, listLicenses } from '@colophon/model';

/** `own`: the licences that a public page names. `all`: the licences of all records. */
export interface FoundLicenses {
  own: string[];
  all: string[];
}

export function findLicenses(bundle: Bundle): FoundLicenses {
  const { cid, entities, actions, attributions, resources } = bundle;
  const all = [...entities, ...actions, ...attributions, ...resources].map(licenseOf);
  const shown = describeBundle(bundle, { withhold: [], isHidden: () => false, toRef: (id) => id });
  return {
    own: listLicenses({ ...shown, cid, license: true }),
    all: [...new Set(all.filter((license) => license !== undefined))],
  };
}
