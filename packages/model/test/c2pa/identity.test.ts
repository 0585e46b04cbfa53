import { describe, expect, it } from 'vitest';
import { manifestSchema, toDisplay, toManifest, toValidation } from '../../src/index.js';
import { storeOf } from './support/stores.js';

const SIGNER = 'self#jumbf=/c2pa/a/c2pa.signature';
const TRUSTED_SIGNER = { code: 'signingCredential.trusted', url: SIGNER };
const VALIDATED = 'cawg.x509.signature.validated';

const ANN = {
  label: 'cawg.identity',
  data: {
    signer_payload: { sig_type: 'cawg.x509.cose', role: ['cawg.creator', 7] },
    signature_info: { alg: 'Es256', issuer: 'Ann Ltd', common_name: 'Ann' },
  },
};

interface Codes {
  success?: string[];
  failure?: string[];
  of?: string;
}

function storeWith(
  state: string,
  { success = [], failure = [], of = 'a' }: Codes,
  assertions: object[] = [ANN],
) {
  const url = `self#jumbf=/c2pa/${of}/c2pa.assertions/cawg.identity`;
  const toCodes = (codes: string[]) => codes.map((code) => ({ code, url }));
  return storeOf(
    {
      a: { signature_info: { issuer: 'Studio' }, assertions, ingredients: [{ active_manifest: 'b' }] },
      b: { signature_info: { issuer: 'Camera' }, assertions },
    },
    {
      validation_state: state,
      validation_results: {
        activeManifest: {
          success: [TRUSTED_SIGNER, ...toCodes(success)],
          informational: [],
          failure: toCodes(failure),
        },
      },
    },
  );
}

describe('an identity next to the signer', () => {
  it.each<[string | null, Codes]>([
    ['trusted', { success: ['cawg.x509.credential.trusted', VALIDATED] }],
    ['valid', { success: [VALIDATED], failure: ['cawg.x509.credential.untrusted'] }],
    ['valid', { success: [VALIDATED] }],
    ['invalid', { success: [VALIDATED], failure: ['cawg.x509.signature.mismatch'] }],
    [
      'invalid',
      { success: ['cawg.x509.credential.trusted', VALIDATED], failure: ['cawg.identity.pad.invalid'] },
    ],
    [null, {}],
    [null, { success: ['cawg.x509.credential.trusted'] }],
  ])('has the state %s with %j', (state, codes) => {
    const manifest = toManifest(storeWith('Valid', codes));
    expect(manifestSchema.parse(manifest)).toEqual(manifest);
    expect(manifest.identities).toMatchObject([
      { commonName: 'Ann', issuer: 'Ann Ltd', kind: 'cawg.x509.cose', roles: ['cawg.creator'], state },
    ]);
    expect(manifest.identities[0]?.codes).toHaveLength(
      [...(codes.success ?? []), ...(codes.failure ?? [])].length,
    );
  });

  it('is judged only by the codes of its own manifest', () => {
    const manifest = toManifest(storeWith('Trusted', { of: 'b', success: [VALIDATED] }));
    expect(manifest.identities[0]?.state).toBeNull();
    expect(manifest.ingredients[0]?.manifest?.identities[0]?.state).toBe('valid');
  });

  it('leaves the file valid and the signer trusted if it is not confirmed', () => {
    const store = storeWith('Valid', { success: [VALIDATED], failure: ['cawg.x509.credential.untrusted'] });
    const validation = toValidation(store);
    expect(validation.state).toBe('valid');
    expect(validation.summary).toBe(
      'The file is unchanged since it was signed by Studio, a trusted signer; an additional identity is not confirmed.',
    );
    expect(toDisplay(store)).toMatchObject({
      headline: 'Signed by Studio and unchanged since; an additional identity is not confirmed',
      identities: ['“Ann”, whose identity is not confirmed'],
    });
  });

  it('is reported as invalid when its signature does not match', () => {
    const store = storeWith('Valid', { failure: ['cawg.x509.signature.mismatch'] });
    expect(toValidation(store).summary).toMatch(/; an additional identity is invalid\.$/);
    expect(toDisplay(store).identities).toEqual(['“Ann”, but the check of this identity failed']);
  });

  it('is not shown for an invalid file', () => {
    const store = storeWith('Invalid', { success: ['cawg.x509.credential.trusted', VALIDATED] });
    expect(toDisplay(store).identities).toEqual([]);
  });

  it('that is confirmed leaves the file trusted', () => {
    const store = storeWith('Trusted', { success: ['cawg.x509.credential.trusted', VALIDATED] });
    expect(toValidation(store).summary).toMatch(/signed by Studio, a trusted signer\.$/);
    expect(toDisplay(store).identities).toEqual(['Ann, whose identity is confirmed']);
  });

  it.each([[null], [7], [{ signer_payload: 7, signature_info: [] }], ['x'.repeat(9)]])(
    'has no name and no state when it is malformed (%j)',
    (data) => {
      const store = storeWith('Valid', {}, [{ label: 'cawg.identity__1', data }]);
      expect(toManifest(store).identities).toMatchObject([
        { commonName: null, kind: null, roles: [], state: null },
      ]);
      expect(toDisplay(store).identities).toEqual(['Somebody who is not named']);
    },
  );
});
