import * as z from 'zod';
import { lenientLabel, lenientList, lenientText } from './lenient-fields.js';

const MAX_ROLES = 10;

/** A signer in addition to the signer of the manifest (CAWG Identity Assertion 1.2). */
export interface StoredIdentity {
  /** Status codes refer to this label. */
  readonly label: string;
  /** For example `cawg.x509.cose` for a certificate. */
  readonly kind: string | undefined;
  readonly issuer: string | undefined;
  readonly commonName: string | undefined;
  readonly algorithm: string | undefined;
  /** Claimed roles, for example `cawg.creator`. */
  readonly roles: readonly string[];
}

const rawIdentity = z.object({
  signer_payload: z.object({ sig_type: lenientLabel, role: lenientList }).optional().catch(undefined),
  signature_info: z
    .object({ alg: lenientText(64), issuer: lenientText(256), common_name: lenientText(256) })
    .optional()
    .catch(undefined),
});

export const IDENTITY_ASSERTION = /^cawg\.identity(?:__\d+)?$/;

/** If `Reader` of c2pa-rs could not decode the identity, only the label is set. */
export function readIdentity({ label, data }: { label: string; data?: unknown }): StoredIdentity {
  const { signer_payload: payload, signature_info: info } = rawIdentity.safeParse(data).data ?? {};
  const role = lenientText(100);
  return {
    label,
    kind: payload?.sig_type,
    issuer: info?.issuer,
    commonName: info?.common_name,
    algorithm: info?.alg,
    roles: (payload?.role ?? []).slice(0, MAX_ROLES).flatMap((one) => role.parse(one) ?? []),
  };
}
