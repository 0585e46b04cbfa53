import { parseManifestStore, toValidation } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadOutcome, SignRequest } from '../../src/media/media-engine.js';
import { actions, define, failures, ingredients } from '../support/manifests.js';
import { type MediaDesk, openMediaDesk } from '../support/media-desk.js';
import { makeSigner, trustAnchorPem } from '../support/signers.js';

const TEXT = 'A caf\u00e9 by the sea.\nIts second line.\n';
const PAGE = `<!doctype html>\n<html><head><title>A page</title></head><body>${TEXT}</body></html>\n`;
const MATTER = `---\ntitle: Notes\n---\n\n${TEXT}`;

let desk: MediaDesk;
beforeAll(async () => {
  desk = await openMediaDesk();
});
afterAll(() => desk.close());

type Kind = [name: string, text: string, mediaType: string, wanted: Partial<SignRequest>];
const KINDS: Kind[] = [
  ['a plain text', TEXT, 'text/plain', {}],
  ['front matter', MATTER, 'text/plain', {}],
  ['a program with comments', `print("""${TEXT}""")\n`, 'text/plain', { comment: '#' }],
  ['an HTML document', PAGE, 'text/html', {}],
];

/** Omits the codes for a missing trust anchor. */
function judge(outcome: ReadOutcome): [state: string, codes: string] {
  if (outcome.kind === 'none' || outcome.kind === 'remote' || outcome.kind === 'interpreted')
    return [outcome.kind, ''];
  const { state, codes } = toValidation(
    outcome.kind === 'store' ? parseManifestStore(outcome.store) : outcome,
  );
  const failed = codes.filter(({ kind, code }) => kind === 'failure' && !code.endsWith('.untrusted'));
  return [state, failed.map(({ code }) => code).join()];
}

describe.each(KINDS)('the manifest of %s', (_, text, mediaType, wanted) => {
  const sign = (more: Partial<SignRequest> = {}) =>
    desk.sign(Buffer.from(text), mediaType, { ...wanted, ...more });
  const read = async (changed: string | Buffer) =>
    judge(await desk.read(Buffer.from(changed), mediaType, trustAnchorPem));

  it('is trusted, and every character of the text stays unchanged', async () => {
    const { signed, store } = await sign({ trustAnchorsPem: trustAnchorPem });
    expect([store.validation_state, failures(store)]).toEqual(['Trusted', []]);
    const bare = signed.toString().replace(/\ufeff.*$|# -----BEGIN.*\n|<script[^<]*<\/script>/u, '');
    expect(bare).toBe(text);
    expect(await read(signed)).toEqual(['trusted', '']);
  });

  it.each<[string, (text: string) => string, RegExp]>([
    ['another word', (all) => all.replace('sea', 'bay'), /^assertion\.dataHash\.mismatch$/],
    ['a word more', (all) => all.replace('sea', 'blue sea'), /^assertion\.dataHash\.(mismatch|malformed)$/],
    ['a line before it', (all) => `More.\n${all}`, /^assertion\.dataHash\.malformed$/],
    ['a line after it', (all) => `${all}\nMore.\n`, /^assertion\.dataHash\.(mismatch|malformed)$/],
    ['its first line lost', (all) => all.replace(/^.*\n/, ''), /^assertion\.dataHash\.malformed$|^manifest/],
    ['other line ends', (all) => all.replaceAll('\n', '\r\n'), /^assertion\.dataHash\.(mismatch|malformed)$/],
  ])(
    'is invalid after a change of the text, or absent if its line was removed: %s',
    async (name, change, code) => {
      const changed = change((await sign()).signed.toString());
      const isLost =
        name.endsWith('lost') && !changed.includes('C2PA MANIFEST') && wanted.comment !== undefined;
      const [state, codes] = await read(changed);
      if (isLost) return expect(state).toBe('none'); // The first line was the manifest.
      expect(state).toBe('invalid');
      expect(codes).toMatch(code);
    },
  );

  it('is invalid when the file is cut off within the manifest', async () => {
    const { signed } = await sign();
    const ends = ['-----END', '</script>'].map((mark) => signed.indexOf(mark)).filter((at) => at > 0);
    const end = ends[0] ?? signed.length;
    for (const share of [0.5, 0.7, 0.9]) {
      const [state, codes] = await read(signed.subarray(0, Math.floor(end * share)));
      expect([share, state]).toEqual([share, 'invalid']);
      expect(codes).toMatch(/^(manifest\.|general\.error)/);
    }
  });

  it('is invalid when the text contains it twice', async () => {
    const { signed } = await sign();
    expect(await read(`${signed}${signed}`)).toEqual([
      'invalid',
      expect.stringMatching(/^manifest\.(text|structuredText|html)\.multiple/),
    ]);
  });

  it('keeps the history when the text is signed again, and reads as trusted', async () => {
    const first = await sign();
    const second = await desk.sign(first.signed, mediaType, {
      ...wanted,
      definition: define({ action: 'c2pa.edited' }),
      trustAnchorsPem: trustAnchorPem,
    });
    const { store } = await desk.readStore(second.signed, mediaType, trustAnchorPem);
    expect([store.validation_state, failures(store)]).toEqual(['Trusted', []]);
    expect(actions(store)).toEqual(['c2pa.opened', 'c2pa.edited']);
    expect(ingredients(store)).toMatchObject([
      { relationship: 'parentOf', active_manifest: first.store.active_manifest },
    ]);
  });

  it('reports an earlier version that was altered before it was signed again', async () => {
    const first = await sign();
    const altered = Buffer.from(first.signed.toString().replace('sea', 'bay'));
    const { store } = await desk.sign(altered, mediaType, {
      ...wanted,
      definition: define({ action: 'c2pa.edited' }),
    });
    const { codes, summary } = toValidation(parseManifestStore(store));
    expect(codes.some(({ code }) => code.startsWith('assertion.dataHash.mismatch'))).toBe(false);
    expect(summary).toContain('had been altered earlier');
  });

  it('with an identity is trusted if both kinds of trust anchors are set', async () => {
    const identity = { ...makeSigner(), roles: ['cawg.creator'] };
    const anchors = { trustAnchorsPem: trustAnchorPem, identityAnchorsPem: trustAnchorPem };
    const { store } = await sign({ identity, ...anchors });
    expect([store.validation_state, failures(store)]).toEqual(['Trusted', []]);
  });
});

describe('a text', () => {
  it('with a remote manifest is reported with the address, and nothing opens this address', async () => {
    const url = 'https://a.example/m.c2pa';
    const text = `# -----BEGIN C2PA MANIFEST----- ${url} -----END C2PA MANIFEST-----\n`;
    expect(await desk.read(Buffer.from(text), 'text/plain')).toEqual({ kind: 'remote', url });
    expect(desk.engine.networkAttempts).toBe(0);
  });

  it('in UTF-16 is never signed, and reads as damaged only if it has a manifest', async () => {
    const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
    expect(await desk.read(utf16(TEXT), 'text/plain')).toEqual({ kind: 'none' });
    const { signed } = await desk.sign(Buffer.from(TEXT), 'text/plain');
    expect(judge(await desk.read(utf16(signed.toString()), 'text/plain'))).toEqual([
      'invalid',
      'manifest.text.corruptedWrapper',
    ]);
    await expect(desk.sign(utf16(TEXT), 'text/plain')).rejects.toMatchObject({
      code: 'ValidationError',
      message: expect.stringContaining('UTF-8'),
    });
  });

  it('is read as broken, not as unsigned, if its manifest block contains no manifest', async () => {
    for (const bytes of ['', 'x', '\0\0\0\x10jumbxxxxxxxx', 'a'.repeat(500)]) {
      const base64 = Buffer.from(`.${bytes}`).toString('base64');
      const text = `# -----BEGIN C2PA MANIFEST----- data:application/c2pa;base64,${base64} -----END C2PA MANIFEST-----\n`;
      expect(await desk.read(Buffer.from(text), 'text/plain')).toMatchObject({
        kind: 'broken',
        holdsManifest: true,
      });
    }
  });

  it('with the manifest of another file is invalid', async () => {
    const other = (await desk.sign(Buffer.from('Another text.'), 'text/plain')).signed.toString();
    const moved = `${TEXT}${other.slice('Another text.'.length)}`;
    expect(judge(await desk.read(Buffer.from(moved), 'text/plain', trustAnchorPem))[0]).toBe('invalid');
  });

  it('is signed in normalization form C, and the signed text stays trusted in form D', async () => {
    const { signed } = await desk.sign(Buffer.from(TEXT.normalize('NFD')), 'text/plain');
    expect(signed.toString().startsWith(TEXT)).toBe(true);
    const decomposed = Buffer.from(signed.toString().normalize('NFD'));
    expect(judge(await desk.read(decomposed, 'text/plain', trustAnchorPem))).toEqual(['trusted', '']);
  });

  it.each([70_000, 2_000_000])('of %i bytes is signed and read', async (size) => {
    const text = Buffer.from('A line of a long text.\n'.repeat(Math.ceil(size / 23)));
    const { signed } = await desk.sign(text, 'text/plain');
    expect(judge(await desk.read(signed, 'text/plain', trustAnchorPem))).toEqual(['trusted', '']);
  });
});
