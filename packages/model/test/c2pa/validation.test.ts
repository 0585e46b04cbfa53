import { describe, expect, it } from 'vitest';
import { toDisplay, toValidation, validationSchema } from '../../src/index.js';
import { readFixture, storeOf } from './support/stores.js';

const UNTRUSTED = { code: 'signingCredential.untrusted' };

function storeWith(state: string | undefined, failure: { code: string }[], deltas: unknown[] = []) {
  const signature_info = { issuer: 'Ann' };
  return storeOf(
    { a: { signature_info } },
    {
      validation_state: state,
      validation_results: {
        activeManifest: { failure, success: [], informational: [] },
        ingredientDeltas: deltas,
      },
    },
  );
}

describe('toValidation', () => {
  it.each([
    ['v1-parent', 'valid', /unchanged .* who is not in the list of trusted signers\.$/],
    ['v1-two-ingredients', 'valid', /unchanged .* who is not in the list of trusted signers\.$/],
    ['v1-altered', 'invalid', /^The file was altered after it was signed\.$/],
    ['v1-signature-altered', 'invalid', /^The signature does not match/],
    ['v2-edited', 'trusted', /signed by Example Studio, a trusted signer\.$/],
    ['v2-history', 'trusted', /signed by Example Studio, a trusted signer\.$/],
    ['v2-altered', 'invalid', /^The file was altered after it was signed\.$/],
    ['v2-altered-parent', 'trusted', /had been altered earlier\.$/],
    ['v2-expired', 'invalid', /^The signer's certificate was not valid/],
  ])('reports %s as %s, with a reason only if it is invalid', (name, state, summary) => {
    const validation = toValidation(readFixture(name));
    expect(validation.state).toBe(state);
    expect(validation.summary).toMatch(summary);
    expect(validation.reason !== undefined).toBe(state === 'invalid');
    expect(validationSchema.parse(validation)).toEqual(validation);
  });

  it('lists the codes of the manifest and of its ingredients, failures first', () => {
    const { codes } = toValidation(readFixture('v1-altered'));
    expect(codes[0]).toMatchObject({ code: 'signingCredential.untrusted', kind: 'failure' });
    expect(codes[1]).toMatchObject({ code: 'assertion.dataHash.mismatch', kind: 'failure' });
    expect(codes).toContainEqual(
      expect.objectContaining({ code: 'ingredient.unknownProvenance', kind: 'informational' }),
    );
    expect(codes).toContainEqual(
      expect.objectContaining({ code: 'claimSignature.validated', kind: 'success' }),
    );
  });

  it.each([
    ['assertion.dataHash.mismatch'],
    ['assertion.bmffHash.mismatch'],
    ['claimSignature.mismatch'],
    ['signingCredential.expired'],
    ['some.future.code'],
  ])('returns invalid for the failure %s, even if the engine reports otherwise', (code) => {
    expect(toValidation(storeWith('Trusted', [{ code }])).state).toBe('invalid');
    expect(toValidation(storeWith('Valid', [UNTRUSTED, { code }])).state).toBe('invalid');
  });

  it.each([undefined, 'Invalid', 'valid', 'Great'])('returns invalid when the engine reports %s', (state) => {
    expect(toValidation(storeWith(state, [])).state).toBe('invalid');
    expect(toValidation(storeWith(state, [UNTRUSTED])).state).toBe('invalid');
  });

  it('returns valid, not trusted, when the signer is unknown or a CAWG identity has a failure', () => {
    expect(toValidation(storeWith('Trusted', [])).state).toBe('trusted');
    expect(toValidation(storeWith('Trusted', [UNTRUSTED])).state).toBe('valid');
    expect(toValidation(storeWith('Trusted', [{ code: 'cawg.x509.credential.untrusted' }])).state).toBe(
      'valid',
    );
    expect(toValidation(storeWith('Trusted', [{ code: 'cawg.identity.hash.mismatch' }])).state).toBe('valid');
  });

  it('states for an ISO media file that only its protected part is unchanged', () => {
    const ofState = (validation_state: string) =>
      storeOf(
        { a: { signature_info: { issuer: 'Ann' } } },
        {
          validation_state,
          validation_results: { activeManifest: { success: [{ code: 'assertion.bmffHash.match' }] } },
        },
      );
    const trusted =
      'The protected part of this file is unchanged since it was signed by Ann, a trusted signer.';
    expect(toValidation(ofState('Trusted')).summary).toBe(trusted);
    expect(toValidation(ofState('Valid')).summary).toMatch(/^The protected part of this file is unchanged/);
    expect(toDisplay(ofState('Trusted')).headline).toMatch(/ in its protected part$/);
    expect(toDisplay(ofState('Valid')).headline).toMatch(/^The protected part of the file is unchanged/);
  });

  it('returns invalid with the reason when an ingredient is altered', () => {
    const failure = [{ code: 'ingredient.manifest.mismatch' }];
    const validation = toValidation(storeWith('Valid', [], [{ validationDeltas: { failure } }]));
    expect(validation.state).toBe('invalid');
    expect(validation.summary).toMatch(/earlier version or a part/);
  });

  it('reads the failures of older stores without results', () => {
    const store = storeOf(
      { a: {} },
      { validation_state: 'Valid', validation_status: [{ code: 'assertion.dataHash.mismatch' }] },
    );
    expect(toValidation(store)).toMatchObject({ state: 'invalid', codes: [{ kind: 'failure' }] });
  });

  it.each([
    ['JumbfParseError', 'general.error', /damaged/],
    ['ClaimDecoding', 'claim.cbor.invalid', /damaged/],
    ['AssertionMissing', 'assertion.missing', /damaged/],
    ['ClaimMissing', 'claim.missing', /damaged/],
    ['ClaimMissingSignatureBox', 'claimSignature.missing', /have no signature/],
    ['CoseSignature', 'claimSignature.mismatch', /does not match/],
    ['CoseInvalidCert', 'signingCredential.invalid', /not fit/],
    ['constructor', 'general.error', /damaged/],
  ])('reports invalid for a container that cannot be parsed: %s', (code, statusCode, summary) => {
    const validation = toValidation({ code, message: 'at /home/x/engine.js:1' });
    expect(validation.state).toBe('invalid');
    expect(validation.codes).toEqual([{ code: statusCode, kind: 'failure', explanation: code }]);
    expect(validation.summary).toMatch(summary);
  });

  it('reports only the address of a remote manifest, and no other text of the error message', () => {
    const message = 'C2pa(RemoteManifestUrl("https://example.com/a.c2pa"))';
    const { codes, summary } = toValidation({ code: 'RemoteManifestUrl', message });
    expect(codes).toEqual([
      { code: 'manifest.inaccessible', kind: 'failure', explanation: 'https://example.com/a.c2pa' },
    ]);
    expect(summary).toMatch(/stored at another address/);
  });
});
