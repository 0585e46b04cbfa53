import {
  type Attribution,
  CONTRIB_EXTENSION,
  type JsonObject,
  LICENSE_EXTENSION,
  PAYMENT_EXTENSION,
} from '@colophon/model';
import { z } from 'zod';

/** Members of a ProvenanceKit action request that `/v1` does not have: `{toolCid?, proof?}`. */
export const REQUEST_EXTENSION = 'ext:published:action@1.0.0';
/** Members of a ProvenanceKit request that describe the content. Responses show them as extensions of the resource. */
export const RESOURCE_EXTENSION = 'ext:published:resource@1.0.0';

const attribution = 'required';
const licence = (name: string, version: string) => `https://creativecommons.org/${name}/${version}/`;

/** Licences that the ProvenanceKit SDK identifies by a short name. */
const LICENSES: Readonly<Record<string, JsonObject>> = {
  CC0: {
    type: 'CC0-1.0',
    commercial: true,
    derivatives: true,
    attribution: 'none',
    termsUrl: licence('publicdomain/zero', '1.0'),
  },
  CC_BY: {
    type: 'CC-BY-4.0',
    commercial: true,
    derivatives: true,
    attribution,
    termsUrl: licence('licenses/by', '4.0'),
  },
  CC_BY_SA: {
    type: 'CC-BY-SA-4.0',
    commercial: true,
    derivatives: true,
    shareAlike: true,
    attribution,
    termsUrl: licence('licenses/by-sa', '4.0'),
  },
  CC_BY_NC: {
    type: 'CC-BY-NC-4.0',
    commercial: false,
    derivatives: true,
    attribution,
    termsUrl: licence('licenses/by-nc', '4.0'),
  },
  CC_BY_NC_SA: {
    type: 'CC-BY-NC-SA-4.0',
    commercial: false,
    derivatives: true,
    shareAlike: true,
    attribution,
    termsUrl: licence('licenses/by-nc-sa', '4.0'),
  },
  CC_BY_ND: {
    type: 'CC-BY-ND-4.0',
    commercial: true,
    derivatives: false,
    attribution,
    termsUrl: licence('licenses/by-nd', '4.0'),
  },
  MIT: {
    type: 'MIT',
    commercial: true,
    derivatives: true,
    attribution,
    termsUrl: 'https://opensource.org/licenses/MIT',
  },
  APACHE_2: {
    type: 'Apache-2.0',
    commercial: true,
    derivatives: true,
    attribution,
    termsUrl: 'https://www.apache.org/licenses/LICENSE-2.0',
  },
  PROPRIETARY: { type: 'proprietary', commercial: false, derivatives: false, attribution },
};

/** The performer's contribution: weight, licence and payment. */
export const provenanceKitAttributionRequest = z.object({
  contrib: z.looseObject({ weight: z.number().nonnegative() }).optional(),
  license: z.union([z.string().min(1), z.looseObject({ type: z.string() })]).optional(),
  payment: z
    .looseObject({
      address: z.string(),
      chainId: z.int().optional(),
      method: z.string().optional(),
      currency: z.string().optional(),
    })
    .optional(),
});

export function toAttributionExtensions({
  contrib,
  license,
  payment,
}: z.output<typeof provenanceKitAttributionRequest>): Record<string, unknown> {
  return {
    ...(contrib === undefined
      ? {}
      : { [CONTRIB_EXTENSION]: { basis: 'points', source: 'self-declared', ...contrib } }),
    ...(license === undefined ? {} : { [LICENSE_EXTENSION]: toLicense(license) }),
    ...(payment === undefined ? {} : { [PAYMENT_EXTENSION]: toPayment(payment) }),
  };
}

function toLicense(license: string | { type: string }): object {
  if (typeof license !== 'string') return license;
  return Object.hasOwn(LICENSES, license) ? (LICENSES[license] ?? {}) : { type: license };
}

function toPayment({
  address,
  chainId,
  ...how
}: NonNullable<z.output<typeof provenanceKitAttributionRequest>['payment']>): object {
  return { ...how, recipient: { address, ...(chainId === undefined ? {} : { chainId }) } };
}

/** Converts a weight to the number that the ProvenanceKit SDK reads. */
export function contributionOf(weight: NonNullable<Attribution['weight']>): Record<string, JsonObject> {
  const [numerator = '0', denominator = '1'] = String(weight).split('/');
  return {
    [CONTRIB_EXTENSION]: { weight: Number(numerator) / Number(denominator), basis: 'absolute' },
  };
}
