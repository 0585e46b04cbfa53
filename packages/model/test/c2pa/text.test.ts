import { describe, expect, it, vi } from 'vitest';
import { frameTextManifest } from '../../src/index.js';
import { BEGIN, check, END, embed, frameOf, locate, type Options, utf8 } from './support/text-manifests.js';

/** C2PA 2.4 §A.8.3, independently of the encoder. */
const selectors = (hex: string) =>
  [...Buffer.from(hex, 'hex')]
    .map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16))
    .join('');
const MAGIC = '4332504154585400';
const WRAPPER = `\ufeff${selectors(`${MAGIC}0100000003c2a00f`)}`;
const STORE = Uint8Array.of(0xc2, 0xa0, 0x0f);
const DATA = 'data:application/c2pa;base64,wqAP';
const SCRIPT = '<script type="application/c2pa">wqAP</script>';
/** `jumdc2pa` at offset 12 of a store, as base64. */
const LOST = 'AAAAAGp1bWIAAAAeanVtZGMycGEAEQ==';

describe('a manifest in invisible characters', () => {
  it('has the bytes of the standard: a marker, then the header and the store as selectors', () => {
    const carrier = Buffer.from(frameOf('').toCarrier(STORE)).toString();
    expect(carrier.startsWith(WRAPPER)).toBe(true);
    expect(carrier.slice(WRAPPER.length)).toMatch(/^[\ufe00\u{e0100}]+$/u);
    expect(Buffer.from(carrier).length).toBe(3 + (13 + 3) * 4 + 6);
  });

  it.each([
    ['at the end of a text', `Text.${WRAPPER}`],
    ['with padding', `Text.${WRAPPER}${selectors('0000ff')}`],
    ['before more text', `Text.${WRAPPER} More text.`],
    ['in an empty text', WRAPPER],
    ['beside emoji with selectors', `Ok \u{1f44d}\ufe0f \ufeff ${WRAPPER}`],
  ])('is found %s', (_, text) => {
    expect(locate(text)).toMatchObject({ kind: 'store', store: STORE });
  });

  it.each([
    ['no selectors', 'A text.'],
    ['a byte order mark', '\ufeffA text.'],
    ['emoji', '\u2764\ufe0f\u{1f44d}\ufe0f'],
    ['other selectors', `A${selectors('00010203040506070809')}`],
    ['63 other selectors', `A${selectors('2a'.repeat(63))}`],
    ['7 selectors after the marker', `A\ufeff${selectors('2a'.repeat(7))}`],
    ['an empty text', ''],
  ])('is absent from a text with %s', (_, text) => {
    expect(locate(text)).toEqual({ kind: 'none' });
  });

  it.each([
    ['a cut store', `Text.\ufeff${selectors(`${MAGIC}0100000004c2a00f`)}`, 'corruptedWrapper'],
    ['a cut header', `Text.\ufeff${selectors(`${MAGIC}0100`)}`, 'corruptedWrapper'],
    ['another version', `Text.\ufeff${selectors(`${MAGIC}0200000003c2a00f`)}`, 'corruptedWrapper'],
    ['no store', `Text.\ufeff${selectors(`${MAGIC}0100000000`)}`, 'corruptedWrapper'],
    ['a huge length', `Text.\ufeff${selectors(`${MAGIC}01ffffffffc2a00f`)}`, 'corruptedWrapper'],
    ['no marker', `Text.${WRAPPER.slice(1)}`, 'corruptedWrapper'],
    ['a character in it', `${WRAPPER.slice(0, -2)}x${WRAPPER.slice(-2)}`, 'corruptedWrapper'],
    [
      'a lost beginning',
      `Text.${selectors(`0011${Buffer.from('jumdc2pa').toString('hex')}00`)}`,
      'corruptedWrapper',
    ],
    [
      'no selectors left except those of bytes below 16',
      `Text.\ufeff${selectors('030205040303050408060504')}`,
      'corruptedWrapper',
    ],
    ['its end alone', `Text.${selectors('2a'.repeat(64))}`, 'corruptedWrapper'],
    ['only 8 selectors left', `Text.\ufeff${selectors('2a'.repeat(8))}`, 'corruptedWrapper'],
    ['a second wrapper', `${WRAPPER}Text.${WRAPPER}`, 'multipleWrappers'],
    ['a damaged wrapper before it', `\ufeff${selectors(`${MAGIC}09`)}.${WRAPPER}`, 'corruptedWrapper'],
  ])('is damaged, never absent, with %s', (_, text, code) => {
    expect(locate(text)).toEqual({ kind: 'damaged', code: `manifest.text.${code}` });
  });

  it('has a hash that matches the text and its NFD form, and no other text', () => {
    const { signed, binding } = embed('Caf\u00e9 cr\u00e8me \u0958\n', STORE);
    const text = Buffer.from(signed).toString();
    expect(check(signed, binding)).toBe('assertion.dataHash.match');
    expect(check(utf8(text.normalize('NFD')), binding)).toBe('assertion.dataHash.match');
    expect(check(utf8(text.replace('C', 'K')), binding)).toBe('assertion.dataHash.mismatch');
    expect(check(utf8(` ${text}`), binding)).toBe('assertion.dataHash.malformed');
    expect(check(utf8(`${text} `), binding)).toBe('assertion.dataHash.mismatch');
    expect(check(utf8(text.replace('\n', '\r\n')), binding)).toBe('assertion.dataHash.malformed');
    expect(check(utf8(`${text}\ufe00`), binding)).toBe('assertion.dataHash.malformed');
  });

  it.each([
    ['after the marker', `\ufeff${selectors('2a'.repeat(20))}`],
    ['without the marker', selectors('2a'.repeat(100))],
  ])('is found in a text with other selectors %s, and these selectors stay in the text', (_, others) => {
    const { signed, binding } = embed(`One.${others}Two.`, STORE);
    expect(Buffer.from(signed).toString()).toContain(`${others}Two.`);
    expect(check(signed, binding)).toBe('assertion.dataHash.match');
  });

  it('cannot be added to bytes that are not UTF-8', () => {
    expect(frameTextManifest(Uint8Array.of(0x41, 0xff), { isHtml: false })).toBe('notUtf8');
  });

  it.each(['{"a": 1}', ' [1, 2]\n'])(
    'cannot be added to JSON, but a manifest in a comment can: %s',
    (json) => {
      expect(frameTextManifest(utf8(json), { isHtml: false })).toBe('json');
      expect(frameTextManifest(utf8(json), { isHtml: false, comment: '//' })).toMatchObject({ at: 0 });
    },
  );

  it('can be added to a text that only begins like JSON', () => {
    expect(frameTextManifest(utf8('[sic] a text'), { isHtml: false })).toMatchObject({
      method: 'unstructured',
    });
  });
});

describe('a manifest between delimiters', () => {
  it.each([
    ['a comment of one line', `# ${BEGIN} ${DATA} ${END}\nprint(1)\n`],
    ['a comment between two signs', `a {}\n/* ${BEGIN} ${DATA} ${END} */\n`],
    ['front matter of several lines', `---\n${BEGIN}\n${DATA}\n${END}\ntitle: x\n---\n`],
    ['a comment that begins with a word', `WEBVTT\n\nNOTE ${BEGIN} ${DATA} ${END}\n`],
    ['broken base64 lines', `# ${BEGIN} ${DATA.slice(0, -2)}\n${DATA.slice(-2)} ${END}\n`],
  ])('is found in %s', (_, text) => {
    expect(locate(text)).toMatchObject({ kind: 'store', store: STORE });
  });

  it.each([
    ['constants of a program', `const begin = '${BEGIN}';\nconst end = '${END}';\n`],
    ['a sentence about it', `The delimiters are ${BEGIN} and ${END}.`],
    ['a delimiter alone', `${BEGIN}\nand no more`],
  ])('is absent from %s', (_, text) => {
    expect(locate(text)).toEqual({ kind: 'none' });
  });

  it.each([
    ['no reference', `# ${BEGIN}   ${END}`, 'emptyReference'],
    ['words instead of an address', `# ${BEGIN} not an address ${END}`, 'malformedReference'],
    ['broken base64', `# ${BEGIN} ${DATA}! ${END}`, 'malformedReference'],
    ['another data type', `# ${BEGIN} data:text/plain,a ${END}`, 'malformedReference'],
    ['an address that nobody resolves', `# ${BEGIN} ftp://a.example/m.c2pa ${END}`, 'noResolutionPath'],
    ['no end', `# ${BEGIN} ${DATA}\nprint(1)`, 'noManifest'],
    ['a second block', `# ${BEGIN} ${DATA} ${END}\n# ${BEGIN} ${DATA} ${END}\n`, 'multipleReferences'],
    ['a damaged first delimiter', `# ---BEGIN C2PA MANIFEST----- ${LOST}`, 'noManifest'],
    ['a lost beginning', `${'A'.repeat(40)} ${END}\n`, 'noManifest'],
  ])('is damaged, never absent, with %s', (_, text, code) => {
    expect(locate(text)).toEqual({ kind: 'damaged', code: `manifest.structuredText.${code}` });
  });

  it('can name an address, which the reader reports and does not open', () => {
    const url = 'https://a.example/m.c2pa';
    expect(locate(`// ${BEGIN} ${url} ${END}\n`)).toEqual({ kind: 'remote', url });
  });

  it.each<[string, string, Options, string]>([
    ['the first line', 'print(1)\n', { comment: '#' }, `# ${BEGIN} ${DATA} ${END}\nprint(1)\n`],
    ['the last line', '#!/bin/sh\n', { comment: '#' }, `#!/bin/sh\n\n# ${BEGIN} ${DATA} ${END}`],
    ['front matter', '---\na: 1\n---\n', {}, `---\n# ${BEGIN} ${DATA} ${END}\na: 1\n---\n`],
    ['a line of the file', 'a {}\r\n', { comment: '/*' }, `/* ${BEGIN} ${DATA} ${END} */\r\na {}\r\n`],
  ])('is written to %s, and all other bytes stay unchanged', (_, text, options, expected) => {
    const { signed, binding } = embed(text, STORE, options);
    expect(Buffer.from(signed).toString()).toBe(expected);
    expect(check(signed, binding)).toBe('assertion.dataHash.match');
    expect(Buffer.from(frameOf(signed, options).content).toString()).toBe(text);
  });

  it('has a hash over every byte outside the block, and is malformed if an exclusion covers such a byte', () => {
    const { signed, binding } = embed('print(1)\n', STORE, { comment: '#' });
    const text = Buffer.from(signed).toString();
    expect(check(utf8(text.replace('(1)', '(2)')), binding)).toBe('assertion.dataHash.mismatch');
    expect(check(utf8(`\n${text}`), binding)).toBe('assertion.dataHash.malformed');
    const hidden = utf8(`${text.slice(0, -9)}exit()\n${text.slice(-9)}`);
    const wider = { ...binding, exclusions: [{ start: 0, length: hidden.length - 9 }] };
    expect(check(hidden, wider)).toBe('assertion.dataHash.malformed');
    const two = { ...binding, exclusions: [...binding.exclusions, { start: signed.length - 1, length: 1 }] };
    expect(check(signed, two)).toBe('assertion.dataHash.malformed');
    expect(check(signed, { ...binding, alg: 'md5' })).toBe('algorithm.unsupported');
    expect(check(signed, { ...binding, exclusions: [] })).toBe('assertion.dataHash.malformed');
  });

  it('cannot be added to a text with lines that end with CR alone', () => {
    expect(frameTextManifest(utf8('a\rb'), { isHtml: false, comment: '#' })).toBe('bareCarriageReturn');
  });
});

describe('a manifest in an HTML document', () => {
  it.each([
    ['the head', `<html><head>${SCRIPT}</head></html>`],
    [
      'an element with other letter case and quotes',
      `<HTML><SCRIPT async TYPE='Application/C2PA' >\nwqAP\n</SCRIPT ></HTML>`,
    ],
    ['a fragment without a head', `<p>Text</p>${SCRIPT}`],
  ])('is found in %s', (_, text) => {
    expect(locate(text, true)).toMatchObject({ kind: 'store', store: STORE });
  });

  it.each([
    ['a comment', `<html><!-- ${SCRIPT} --></html>`],
    ['another script', '<html><script>"<script type=\\"application/c2pa\\">"</script></html>'],
    ['an attribute', `<html><p title='${SCRIPT}'></p></html>`],
    ['another attribute', '<html><script data-type="application/c2pa">wqAP</script></html>'],
  ])('is absent from %s', (_, text) => {
    expect(locate(text, true)).toEqual({ kind: 'none' });
  });

  it.each([
    ['two elements', `<head>${SCRIPT}${SCRIPT}</head>`, 'manifest.html.multipleManifests'],
    [
      'an element and a link',
      `<head>${SCRIPT}<link rel="c2pa-manifest" href="m.c2pa"></head>`,
      'manifest.html.multipleManifests',
    ],
    ['broken base64', '<script type="application/c2pa">!</script>', 'general.error'],
    ['no closing tag', '<head><script type="application/c2pa">wqAP', 'general.error'],
    ['a closing tag of another name', '<script type=application/c2pa>wqAP</scriptxx>', 'general.error'],
    ['a style', '<script type="application/c2pa" style="inset:0">wqAP</script>', 'general.error'],
    [
      'a link with a further relation and a script',
      '<link rel="c2pa-manifest stylesheet" href="data:application/c2pa;base64,wqAP" onerror="run()">',
      'general.error',
    ],
    [
      'a damaged tag',
      `<head><scrpt type="application/c2pa">${LOST}</scrpt>`,
      'manifest.structuredText.noManifest',
    ],
  ])('is damaged, never absent, with %s', (_, text, code) => {
    expect(locate(text, true)).toEqual({ kind: 'damaged', code });
  });

  it('is found in an HTML element of a plain text, but not in a start tag alone', () => {
    expect(locate(`Title\n${SCRIPT}`)).toMatchObject({ kind: 'store' });
    expect(locate('Write <script type="application/c2pa"> first.')).toEqual({ kind: 'none' });
  });

  it('can be in the address of a link, and is damaged if that address has other data', () => {
    const link = (address: string) => `<head><link rel="c2pa-manifest" href="${address}"></head>`;
    expect(locate(link(DATA), true)).toMatchObject({
      kind: 'store',
      store: STORE,
      carrier: { method: 'html' },
    });
    for (const address of ['data:application/c2pa;base64,w', 'data:,x', 'DATA:application/c2pa;base64,wqAP'])
      expect(locate(link(address), true)).toEqual({ kind: 'damaged', code: 'general.error' });
    expect(locate(link('../m.c2pa'), true)).toEqual({ kind: 'remote', url: '../m.c2pa' });
  });

  it('can be a link, which the reader reports and does not open', () => {
    const text = '<head><link type="application/c2pa" href="https://a.example/m" rel="c2pa-manifest"></head>';
    expect(locate(text, true)).toEqual({ kind: 'remote', url: 'https://a.example/m' });
  });

  it('is found in a link with many relations, without a string for each relation', () => {
    const many = (relation: string) => `<link rel="${'a '.repeat(1_000)}${relation} b" href="m.c2pa">`;
    const split = vi.spyOn(String.prototype, 'split');
    const found = ['C2PA-Manifest', 'c2pa-manifests', 'xc2pa-manifest'].map((one) => locate(many(one), true));
    const splits = split.mock.calls.length;
    split.mockRestore();
    expect(found).toEqual([{ kind: 'remote', url: 'm.c2pa' }, { kind: 'none' }, { kind: 'none' }]);
    expect(splits).toBe(0);
  });

  it.each([
    ['a head', '<!doctype html><html><head><title>a</title></head></html>', 43],
    ['no head', '<!doctype html><html lang="en"><body></body></html>', 31],
    ['neither `html` nor `head`', '<!doctype html><p>a</p>', 15],
    ['a head in a comment', '<html><!-- </head> --><head></head></html>', 28],
  ])('is written to a document with %s', (_, text, at) => {
    const { signed, binding, frame } = embed(text, STORE, { isHtml: true });
    expect(frame.at).toBe(at);
    expect(Buffer.from(signed).toString()).toBe(`${text.slice(0, at)}${SCRIPT}${text.slice(at)}`);
    expect(check(signed, binding, true)).toBe('assertion.dataHash.match');
  });
});
