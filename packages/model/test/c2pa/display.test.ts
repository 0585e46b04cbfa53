import { describe, expect, it } from 'vitest';
import { displaySchema, toDisplay } from '../../src/index.js';
import { IPTC, madeOf, readFixture, storeOf, withActions } from './support/stores.js';

const NO_DETAILS = { sources: [], moreSources: 0, description: null };

describe('toDisplay', () => {
  it('lists the history of an edited photo, oldest first', () => {
    const display = toDisplay(readFixture('v2-edited'));
    expect(display).toEqual({
      headline: 'Signed by Example Studio and unchanged since',
      facts: {
        isSignerTrusted: true,
        isPartlyProtected: false,
        hasAlteredIngredient: false,
        identityDoubt: null,
      },
      signedBy: 'Example Studio',
      identities: [],
      signedAt: null,
      tool: 'example-editor 2.1',
      changes: [
        {
          text: 'Created',
          when: '2026-01-02T03:04:05.000Z',
          tool: null,
          action: 'c2pa.created',
          ...NO_DETAILS,
        },
        {
          text: 'Opened: “photo.jpg”',
          when: null,
          tool: null,
          action: 'c2pa.opened',
          ...NO_DETAILS,
          sources: ['photo.jpg'],
        },
        {
          text: 'Edited (AI-edited): Sky replaced',
          when: '2026-02-02T03:04:05.000Z',
          tool: 'Example Model 3',
          action: 'c2pa.edited',
          ...NO_DETAILS,
          description: 'Sky replaced',
          ai: 'assisted',
        },
        {
          text: 'Other content placed in it: “sample.png”',
          when: null,
          tool: null,
          action: 'c2pa.placed',
          ...NO_DETAILS,
          sources: ['sample.png'],
        },
      ],
      aiLabel: 'Edited with AI',
    });
    expect(displaySchema.parse(display)).toEqual(display);
  });

  it('says in which change AI made or edited the content, and that the file has a watermark', () => {
    const a = withActions(
      { action: 'c2pa.created', digitalSourceType: `${IPTC}trainedAlgorithmicMedia` },
      { action: 'c2pa.edited', digitalSourceType: `${IPTC}compositeWithTrainedAlgorithmicMedia` },
      { action: 'c2pa.cropped', digitalSourceType: `${IPTC}humanEdits` },
      { action: 'c2pa.watermarked.bound' },
    );
    expect(toDisplay(storeOf({ a })).changes.map(({ text, ai }) => [text, ai])).toEqual([
      ['Created (AI-generated)', 'generated'],
      ['Edited (AI-edited)', 'assisted'],
      ['Cropped', undefined],
      ['Marked with an invisible watermark', undefined],
    ]);
  });

  it('does not vouch for a signer who is not trusted', () => {
    const { headline, signedAt, tool } = toDisplay(readFixture('v1-parent'));
    expect(headline).toBe(
      'Unchanged since it was signed, but it is not known who “C2PA Test Signing Cert” really is',
    );
    expect(signedAt).toBe('2023-01-24T14:48:56.000Z');
    expect(tool).toBe('make test images 0.16.1');
  });

  it.each(['v1-altered', 'v1-signature-altered', 'v2-altered', 'v2-expired'])(
    'shows no claim of an invalid file, not even about AI: %s',
    (name) => {
      const display = toDisplay(readFixture(name));
      expect(display).toMatchObject({
        signedBy: null,
        signedAt: null,
        tool: null,
        changes: [],
        aiLabel: null,
      });
      expect(display.headline).toMatch(/^Do not rely on this file: t/);
    },
  );

  it('reports an altered earlier version and hides its history', () => {
    const { headline, changes } = toDisplay(readFixture('v2-altered-parent'));
    expect(headline).toBe(
      'Signed by Example Studio and unchanged since; one of its source files was altered before it was used',
    );
    expect(changes).toMatchObject([{ text: 'Opened: “p”', when: null, tool: null }]);
  });

  it('removes invisible and bidirectional characters from names', () => {
    const signature_info = { issuer: 'Ann\u202Egnp\u200B' };
    const store = storeOf(
      { a: { signature_info, claim_generator: 'T\u2066ool' } },
      { validation_state: 'Trusted' },
    );
    expect(toDisplay(store)).toMatchObject({ signedBy: 'Anngnp', tool: 'Tool' });
  });

  it('has texts for a file without a signer and for an action of unknown name', () => {
    const store = storeOf({ a: withActions({ action: 'constructor' }, { action: 'com.example.x' }) });
    expect(toDisplay(store).headline).toMatch(/but the signer is not named$/);
    expect(toDisplay(store).changes.map(({ text }) => text)).toEqual([
      'Changed; the file does not state how',
      'Changed; the file does not state how',
    ]);
  });

  it('shows at most the 100 latest changes', () => {
    const many = Array.from({ length: 150 }, (_, index) => ({
      action: 'c2pa.cropped',
      description: `${index}`,
    }));
    const { changes } = toDisplay(storeOf({ a: withActions(...many) }));
    expect(changes).toHaveLength(100);
    expect(changes.at(-1)?.text).toBe('Cropped: 149');
  });

  it('ends when manifests form a cycle', () => {
    const a = { ...withActions({ action: 'c2pa.cropped' }), ingredients: [madeOf('parentOf', 'a')] };
    expect(toDisplay(storeOf({ a })).changes).toHaveLength(1);
  });

  it('labels content that an AI made', () => {
    expect(
      toDisplay(
        storeOf({
          a: withActions({ action: 'c2pa.created', digitalSourceType: `${IPTC}trainedAlgorithmicMedia` }),
        }),
      ).aiLabel,
    ).toBe('Made with AI');
  });
});
