import * as z from 'zod';
import type { ManifestStore } from './manifest-store.js';
import { visibleText } from './signer-name.js';
import { type StatusCode, statusCodeSchema } from './status-code.js';
import type { StoredIdentity } from './stored-identity.js';
import type { StoredManifest } from './stored-manifest.js';

/** A signer in addition to the signer of the manifest. */
export const identitySchema = z
  .object({
    commonName: z.string().nullable(),
    issuer: z.string().nullable().meta({ description: 'Organisation in the certificate' }),
    kind: z
      .string()
      .nullable()
      .meta({ examples: ['cawg.x509.cose'] }),
    algorithm: z.string().nullable(),
    roles: z.array(z.string()).meta({ examples: [['cawg.creator']] }),
    state: z.enum(['invalid', 'valid', 'trusted']).nullable().meta({
      description:
        'invalid: the check failed. valid: signed with the certificate, whose owner is not confirmed. trusted: the certificate also chains to a trust anchor for identities. Null: not checked, for example a kind without a certificate',
    }),
    codes: z.array(statusCodeSchema),
  })
  .meta({ id: 'C2paIdentity' });

export type Identity = z.output<typeof identitySchema>;

const TRUSTED = 'cawg.x509.credential.trusted';
const VALIDATED = 'cawg.x509.signature.validated';

/** `codes` of an identity begin with `cawg.` and refer to its assertion. */
export function toIdentities(store: ManifestStore, { label, identities }: StoredManifest): Identity[] {
  const codesOf = ({ label: assertion }: StoredIdentity) =>
    store.codes.filter((code) => isAbout(code, `/c2pa/${label}/c2pa.assertions/${assertion}`));
  return identities.map((identity) => {
    const codes = codesOf(identity);
    return {
      commonName: identity.commonName ?? null,
      issuer: identity.issuer ?? null,
      kind: identity.kind ?? null,
      algorithm: identity.algorithm ?? null,
      roles: [...identity.roles],
      state: stateOf(codes),
      codes,
    };
  });
}

function isAbout({ code, url }: StatusCode, place: string): boolean {
  return code.startsWith('cawg.') && url?.endsWith(place) === true;
}

function stateOf(codes: readonly StatusCode[]): Identity['state'] {
  const failures = codes.filter(({ kind }) => kind === 'failure');
  if (failures.some(({ code }) => !code.endsWith('.untrusted'))) return 'invalid';
  const successes = codes.flatMap(({ code, kind }) => (kind === 'success' ? [code] : []));
  if (!successes.includes(VALIDATED)) return null;
  return failures.length === 0 && successes.includes(TRUSTED) ? 'trusted' : 'valid';
}

export function identityText({ commonName, issuer, state }: Identity): string {
  const name = visibleText(commonName ?? issuer ?? '');
  if (name === '') return 'Somebody who is not named';
  if (state === 'trusted') return `${name}, whose identity is confirmed`;
  return state === 'invalid'
    ? `“${name}”, but the check of this identity failed`
    : `“${name}”, whose identity is not confirmed`;
}
