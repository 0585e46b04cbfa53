import { describe, expect, it } from 'vitest';
import {
  AI_LABELS,
  disclosureOfDetection,
  disclosureOfLevel,
  iconOfLevel,
  levelOfDetection,
  levelOfDisclosure,
  levelOfFacts,
} from '../../src/labels/ai-label.js';
import { drawLabel } from '../../src/labels/draw-label.js';
import {
  LABEL_ICONS,
  LABEL_KINDS,
  LABEL_LANGUAGES,
  LABEL_MESSAGES,
} from '../../src/labels/label-messages.js';
import { labelSnippet } from '../../src/labels/label-snippet.js';
import { overlaySnippet } from '../../src/labels/overlay-snippet.js';
import { expectToHold, readExamples } from '../support/docstring-examples.js';

const ICONS = 'https://provenance.example/public/labels/';
const SVG_SPACE = 'http://www.w3.org/2000/svg';
const ATTACK = `"><script>alert('x')</script>&`;

describe('the table of labels', () => {
  it('maps each disclosure to a level and an icon', () => {
    const rows = (['ai_generated', 'ai_assisted', null, undefined] as const).map((disclosure) => {
      const level = levelOfDisclosure(disclosure);
      return [level, iconOfLevel(level)];
    });
    expect(rows).toEqual([
      ['generated', 'ai-generated'],
      ['assisted', 'ai-modified'],
      ['human', null],
      ['unstated', null],
    ]);
  });

  it('distinguishes a recorded null from an absent disclosure', () => {
    const [human, unstated] = ['human', 'unstated'].map((name) =>
      AI_LABELS.find(({ level }) => level === name),
    );
    expect(human).toHaveProperty('disclosure', null);
    expect(unstated).not.toHaveProperty('disclosure');
  });

  it('uses the general icon if a manifest states AI assistance with medium confidence', () => {
    const said = { isAIGenerated: false, isAIAssisted: true, source: 'c2pa-manifest' } as const;
    expect(iconOfLevel(levelOfDetection({ ...said, confidence: 'medium' }))).toBe('ai');
    expect(iconOfLevel(levelOfDetection({ ...said, confidence: 'high' }))).toBe('ai-modified');
    expect(iconOfLevel(levelOfDetection({ ...said, isAIGenerated: true, confidence: 'high' }))).toBe(
      'ai-generated',
    );
    expect(levelOfDetection(null)).toBe('unstated');
  });

  it('gives a detection the disclosure of its level', () => {
    const source = 'c2pa-manifest';
    for (const confidence of ['high', 'medium', 'low'] as const)
      for (const [isAIGenerated, isAIAssisted] of [
        [true, false],
        [false, true],
        [false, false],
      ] as const) {
        const said = { isAIGenerated, isAIAssisted, confidence, source } as const;
        expect(disclosureOfDetection(said)).toBe(disclosureOfLevel(levelOfDetection(said)));
      }
  });

  it('gives published facts a level: `involved` for `sources`, and `unstated` for withheld tools', () => {
    const facts = ['generated', 'sources', 'involved', 'human', 'withheld'] as const;
    expect(facts.map(levelOfFacts)).toEqual(['generated', 'involved', 'involved', 'human', 'unstated']);
  });
});

describe('the icons', () => {
  const cases = LABEL_LANGUAGES.flatMap((language) => LABEL_ICONS.map((icon) => [icon, language] as const));

  it.each(cases)('%s in %s has a title and a description for screen readers', (icon, language) => {
    const { icon: texts, about } = LABEL_MESSAGES[language];
    const svg = drawLabel(icon, language);
    expect(svg).toContain('role="img" aria-labelledby="title desc"');
    expect(svg).toContain(`<title id="title">${texts[icon]}</title>`);
    expect(svg).toContain(`<desc id="desc">${about[icon]}</desc>`);
    expect(svg).toMatch(new RegExp(`<text [^>]*>${texts[icon]}</text>`));
    expect(svg).not.toMatch(/<script|href|\son\w+=/);
  });
});

describe('the snippets', () => {
  it.each(LABEL_KINDS)('for %s show the icon and a sentence', (kind) => {
    const label = labelSnippet({ level: 'assisted', kind, iconBase: ICONS, src: '/heron', alt: 'A heron' });
    expect(label?.html).toContain(`<img src="${ICONS}ai-modified.svg" alt="AI MODIFIED"`);
    expect(label?.html).toContain(label?.notice);
    expect(label?.spoken === undefined).toBe(kind === 'image' || kind === 'text');
  });

  it('escape every value', () => {
    const src = `https://a.example/?${ATTACK}`;
    const label = labelSnippet({ level: 'generated', kind: 'image', iconBase: ICONS, src, alt: ATTACK });
    expect(label?.html).not.toContain('<script');
    expect(label?.html.match(/"/g)).toHaveLength(2 * 7);
  });

  it.each(['javascript:alert(1)', ' JavaScript:alert(1)', 'data:text/html,x'])(
    'reject the address %s',
    (src) => {
      expect(() => labelSnippet({ level: 'generated', kind: 'video', iconBase: ICONS, src })).toThrow(
        TypeError,
      );
    },
  );

  it('do not exist for levels that need no label', () => {
    for (const level of ['human', 'unstated'] as const)
      expect(labelSnippet({ level, kind: 'text', iconBase: ICONS })).toBeUndefined();
  });
});

describe('the pictures with a label above them', () => {
  const at = { src: '/heron.jpg', alt: 'A heron', href: 'https://provenance.example/app/p/1' };

  it.each([
    ['generated', 'AI GENERATED', 'This picture was generated with AI.'],
    ['assisted', 'AI MODIFIED', 'This picture was edited with AI.'],
    ['involved', 'AI', 'AI was used in the history of this picture. It is not disclosed where.'],
    ['sources', 'AI', 'AI was used in the sources of this picture.'],
    ['withheld', undefined, 'It is not disclosed whether AI took part'],
  ] as const)('show the level %s', (ai, icon, text) => {
    const html = overlaySnippet({ ...at, ai }) ?? '';
    expect(/role="img" aria-label="([^"]*)"/.exec(html)?.[1]).toBe(icon);
    expect(html).toContain(`<figcaption lang="en">${text}`);
    expect(html.match(/https?:[^"]+/g)).toEqual([...(icon === undefined ? [] : [SVG_SPACE]), at.href]);
  });

  it('have texts in another language around the icon', () => {
    const words = { language: 'de', notice: 'KI-generiert.', link: 'Herkunft dieses Bildes' };
    const html = overlaySnippet({ ...at, ai: 'generated', words });
    expect(html).toContain('>AI GENERATED</text>');
    expect(html).toContain(
      `<figcaption lang="de">KI-generiert. <a href="${at.href}">Herkunft dieses Bildes</a></figcaption>`,
    );
  });

  it('escape every value, and reject addresses of scripts', () => {
    const attack = { src: `/?${ATTACK}`, alt: ATTACK, href: `/?${ATTACK}`, publication: ATTACK };
    const words = { language: ATTACK, notice: ATTACK, link: ATTACK };
    const html = overlaySnippet({ ai: 'generated', ...attack, words });
    expect(html).not.toContain('<script');
    const href = 'javascript:alert(1)';
    expect(() => overlaySnippet({ ...at, ai: 'generated', href })).toThrow(TypeError);
    expect(() => overlaySnippet({ ...at, ai: 'generated', src: href })).toThrow(TypeError);
  });

  it('do not exist for levels that need no label', () => {
    for (const ai of ['human', 'unstated'] as const) expect(overlaySnippet({ ...at, ai })).toBeUndefined();
  });
});

describe('the examples in docstrings', () => {
  const names = { levelOfDisclosure, levelOfDetection, iconOfLevel, drawLabel, labelSnippet, overlaySnippet };
  const examples = readExamples(new URL('../../src/labels/', import.meta.url));
  it.each(examples)('state the actual result: $file: $code', ({ code }) => expectToHold(code, names));
});
