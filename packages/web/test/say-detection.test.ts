import {
  type DetectionLayer,
  explainConfidence,
  type PublishedFacts,
  type PublishedMatchKind,
  sayPublished,
} from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sayLayer, sayMeaning, sayResult } from '../src/check/say-detection.js';
import { LANGUAGES } from '../src/languages/language.js';
import { installTexts } from '../src/languages/texts.js';
import { texts as german } from '../src/translations/de/texts.js';

const { detector } = german;
const MATCHES: PublishedMatchKind[] = ['same', 'auto', 'review', 'points', 'agreed', 'contradicted'];
const LEVELS = ['generated', 'assisted', 'involved', 'sources', 'human', 'unstated'] as const;
const LAYER: DetectionLayer = { kind: 'log', confidence: 'high', level: 'generated', says: '' };

describe('the findings of the detector, in German', () => {
  beforeAll(() => installTexts(LANGUAGES[1], german));
  afterAll(() => installTexts(LANGUAGES[0], {}));

  const say = (match: PublishedMatchKind, ai: PublishedFacts['ai']) =>
    sayLayer({ ...LAYER, says: sayPublished(match, ai) });

  it.each(MATCHES)('have a text for each level of AI: %s', (match) => {
    for (const ai of LEVELS)
      expect(say(match, ai)).toBe(
        `${detector.matches[match]} ${detector.historyStates(detector.statements[ai])}`,
      );
    expect(say(match, 'withheld')).toBe(`${detector.matches[match]} ${detector.historyWithholds}`);
  });

  it('have a text for an invalid manifest', () => {
    expect(sayLayer({ ...LAYER, kind: 'manifest', state: 'invalid', says: 'Signed.' })).toBe(
      `${german.check.service.states.invalid}. Die Content Credentials geben an: Der Inhalt wurde mit KI erzeugt.`,
    );
  });

  it('have a text for each meaning that the service states', () => {
    for (const kind of ['manifest', 'fingerprint', 'log', 'watermark'] as const)
      for (const confidence of ['high', 'medium', 'low'] as const) {
        const meaning = explainConfidence({ kind, confidence });
        const said = sayMeaning({ ...LAYER, kind, confidence, meaning });
        expect([kind, confidence, said === undefined]).toEqual([kind, confidence, meaning === undefined]);
        if (meaning !== undefined) expect(said).not.toBe(meaning);
      }
  });

  it('keep a sentence that the page does not know', () => {
    expect(sayLayer({ ...LAYER, says: 'A new finding.' })).toBe('A new finding.');
    expect(sayResult([])).toBe(detector.none);
  });
});
