import {
  CHECK_CODES,
  type DetectionLayer,
  explainConfidence,
  isAboutOtherFile,
  type PublishedFacts,
  type PublishedMatchKind,
  sayPublished,
  toFindingCode,
} from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sayLayer, sayMeaning, sayReason, sayResult } from '../src/check/say-detection.js';
import { LANGUAGES } from '../src/languages/language.js';
import { installTexts } from '../src/languages/texts.js';
import { texts as german } from '../src/translations/de/texts.js';

const { detector, aiLevels } = german;
const MATCHES: (keyof typeof detector.matches)[] = [
  ...(['same', 'exact', 'source', 'similar', 'review'] as const),
  ...(['points', 'agreed', 'contradicted'] as const),
];
const LEVELS = ['generated', 'assisted', 'involved', 'sources', 'human', 'unstated'] as const;
const LAYER: DetectionLayer = { kind: 'log', confidence: 'high', level: 'generated', says: '' };

describe('the findings of the detector, in German', () => {
  beforeAll(() => installTexts(LANGUAGES[1], german));
  afterAll(() => installTexts(LANGUAGES[0], {}));

  const say = (match: PublishedMatchKind, ai: PublishedFacts['ai']) =>
    sayLayer({ ...LAYER, says: sayPublished(match, ai) });

  const sayCode = (match: PublishedMatchKind, ai: PublishedFacts['ai']) =>
    sayLayer({ ...LAYER, says: 'Another wording.', code: toFindingCode({ match, ai }) });

  it.each(MATCHES)(
    'have a text for each level of AI, both by the code of a finding and by its English sentence: %s',
    (match) => {
      for (const one of [say, sayCode]) {
        for (const ai of LEVELS) {
          const words = ai === 'human' || ai === 'unstated' ? detector.statements[ai] : aiLevels[ai];
          const states = isAboutOtherFile(match) ? detector.historyStatesOfOther : detector.historyStates;
          expect(one(match, ai)).toBe(`${detector.matches[match]} ${states(words)}`);
        }
        expect(one(match, 'withheld')).toBe(`${detector.matches[match]} ${detector.historyWithholds}`);
      }
    },
  );

  it('name the layer that agrees with a watermark: a layer with the same publication, or else the trusted manifest', () => {
    const publication = { id: 'p', path: '/p/p', title: null, provable: true };
    const code = toFindingCode({ match: 'agreed', ai: 'generated' });
    const mark = { ...LAYER, kind: 'watermark', confidence: 'medium', code, publication } as const;
    const log = { ...LAYER, publication };
    const manifest = { ...LAYER, kind: 'manifest' } as const;
    const sayBeside = (...others: DetectionLayer[]) => sayLayer(mark, [...others, mark]);
    expect(sayBeside(manifest, log)).toContain('diese Ebene stimmt damit überein: Veröffentlichte');
    expect(sayBeside(manifest, { ...log, publication: { ...publication, id: 'q' } })).toContain(
      'diese Ebene stimmt damit überein: Content Credentials.',
    );
    expect(sayBeside({ ...log, confidence: 'low' })).toContain('eine weitere Ebene stimmt damit überein.');
  });

  it('never call a file with exactly the published bytes an altered copy, even without a finding in the log', () => {
    const print = (match: PublishedMatchKind) =>
      ({
        ...LAYER,
        kind: 'fingerprint',
        confidence: 'medium',
        code: toFindingCode({ match, ai: 'withheld' }),
      }) as const;
    expect(sayLayer(print('exact'))).toBe(`${detector.matches.exact} ${detector.historyWithholds}`);
    expect(sayMeaning(print('exact'))).toBe(detector.meanings['log high']);
    for (const match of ['similar', 'auto'] as const) {
      expect(sayLayer(print(match))).toContain(detector.matches.similar);
      expect(sayMeaning(print(match))).toBe(detector.meanings['fingerprint medium']);
    }
    expect(sayMeaning(print('source'))).toBe(detector.meansSource);
  });

  it('sum up in plain words, and call a file an altered copy only if a watermark and a similar content agree', () => {
    const publication = { id: 'p', path: '/p/p', title: null, provable: true };
    const found = (kind: DetectionLayer['kind'], match: PublishedMatchKind, ai: PublishedFacts['ai']) =>
      ({ ...LAYER, kind, confidence: 'medium', code: toFindingCode({ match, ai }), publication }) as const;
    const mark = found('watermark', 'agreed', 'assisted');
    const { headline, publishedFile, notOfYours } = detector;
    const copy = sayResult([mark, found('fingerprint', 'similar', 'assisted')]);
    expect(copy).toBe(`${headline.copy} ${publishedFile.assisted}`);
    expect(sayResult([mark])).toBe(`${headline.agreed} ${publishedFile.assisted}`);
    for (const other of [found('log', 'same', 'assisted'), found('fingerprint', 'exact', 'assisted')])
      expect(sayResult([mark, other])).toBe(`${headline.same} ${publishedFile.assisted}`);
    expect(sayResult([{ ...found('watermark', 'points', 'generated'), confidence: 'low' }])).toBe(
      `${headline.points} ${publishedFile.generated}`,
    );
    expect(headline.points).toContain('weist auf');
    expect(sayResult([found('fingerprint', 'exact', 'human')])).toBe(
      `${headline.same} ${publishedFile.human}`,
    );
    for (const match of ['similar', 'source', 'review'] as const)
      for (const ai of LEVELS) {
        const end = ai === 'unstated' ? '' : ` ${notOfYours}`;
        expect(sayResult([found('fingerprint', match, ai)])).toBe(
          `${headline[match]} ${publishedFile[ai]}${end}`,
        );
      }
    const words = Object.values({ ...headline, ...publishedFile }).join(' ');
    expect(words).not.toMatch(/Ebene|Fingerabdruck/);
  });

  it('have a text for each reason why a layer was not checked', () => {
    const check = { kind: 'log', state: 'unavailable', reason: 'A reason.' } as const;
    for (const code of CHECK_CODES)
      expect(sayReason({ ...check, code })).toEqual({ text: detector.reasons[code], isEnglish: false });
    for (const code of [undefined, 'aCodeOfALaterVersion'])
      expect(sayReason({ ...check, code })).toEqual({ text: 'A reason.', isEnglish: true });
  });

  it('have a text for each state of a manifest', () => {
    const code = toFindingCode({ state: 'invalid', level: 'generated' });
    for (const found of [{ state: 'invalid' } as const, { code }])
      expect(sayLayer({ ...LAYER, kind: 'manifest', ...found, says: 'Signed.' })).toBe(
        `${german.check.service.states.invalid}. Die Content Credentials geben an: KI-generiert.`,
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
    expect(sayLayer({ ...LAYER, code: 'new-finding', says: 'A new finding.' })).toBe('A new finding.');
    expect(sayResult([])).toBe(detector.none);
  });
});
