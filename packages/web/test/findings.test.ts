import {
  type Action,
  CORRECTION_EXTENSION,
  type Detection,
  type DetectionLayer,
  MARK_EXTENSION,
  type SearchResult,
  toFindingCode,
} from '@colophon/model';
import { describe, expect, it } from 'vitest';
import { type Findings, headlineOf, isMadeFrom } from '../src/check/findings.js';
import { sayNext } from '../src/check/say-credentials.js';
import { sayMatches } from '../src/check/say-matches.js';
import { nameAction, nameFiles } from '../src/shell/name-action.js';
import { actionOf, bundleOf, entityOf } from './support/histories.js';

const generated = actionOf('a', 0, {
  type: 'generate',
  performedBy: 'ann',
  inputCids: ['x', 'y'],
  outputCids: ['z'],
  aiTool: { provider: 'Acme', model: 'painter-2' },
});
const entities = [entityOf('ann', 'Ann')];
const recorded = {
  verified: true,
  action: generated,
  bundle: bundleOf('z', [generated], entities),
} as Partial<NonNullable<Findings['recorded']>> as NonNullable<Findings['recorded']>;
const digests = { cid: 'z', contentDigest: 'y' } as NonNullable<Findings['digests']>;
const notRecorded = { verified: false, cid: 'z', reason: 'notRecorded' } as const;
const validation = (state: string) =>
  ({
    extraction: {
      validation: { state, ...(state === 'invalid' ? { reason: 'certificateUnfit' } : {}) },
      display: { signedBy: 'Cam', facts: { isSignerTrusted: state === 'trusted' } },
    },
    search: null,
  }) as Partial<NonNullable<Findings['service']>> as NonNullable<Findings['service']>;

const claimed = {
  extraction: {
    validation: { state: 'invalid' },
    unverifiedManifest: { signature: { issuer: null, commonName: 'Dee' } },
  },
  search: null,
} as Partial<NonNullable<Findings['service']>> as NonNullable<Findings['service']>;

const unchanged = {
  kind: 'unchanged',
  display: { signedBy: 'Cam', facts: { isSignerTrusted: false } },
} as Partial<Findings['examined']> as NonNullable<Findings['examined']>;

const unpublished = { digests, recorded: null, examined: { kind: 'none' } } as const;
const detected = (...layers: Partial<DetectionLayer>[]) =>
  ({ layers }) as Partial<Detection> as NonNullable<Findings['detection']>;

const POINTS = toFindingCode({ match: 'points', ai: 'generated' });
const publication = { id: 'p', path: '/app/p/p', title: null, provable: true };
const resembling = {
  ...({ kind: 'fingerprint', confidence: 'medium', publication } as const),
  code: toFindingCode({ match: 'similar', ai: 'generated' }),
};
const marked = {
  ...({ kind: 'watermark', confidence: 'medium', publication } as const),
  code: toFindingCode({ match: 'agreed', ai: 'generated' }),
};
const similarTo = { verdict: 'auto', matches: [{ cid: 'w', score: 1, method: 'iscc', type: 'image' }] };
/** A member whose project has a similar record. */
const alike: Findings = {
  ...{ digests, recorded: notRecorded, examined: { kind: 'none' }, titles: { w: 'The heron' } },
  service: { extraction: null, search: similarTo as Partial<SearchResult> as SearchResult },
};

describe('the headline of a file', () => {
  it('names the maker of a recorded marked copy first, and then the person who marked it', () => {
    const mark = { aiDisclosure: 'ai_generated', generator: { name: 'painter-2' }, markedCid: 'photo' };
    const headlineAfter = (performedBy: string) => {
      const photo = actionOf('photo', 0, { type: 'generate', outputCids: ['photo'], performedBy });
      const said = { inputCids: ['photo'], outputCids: ['own'], extensions: { [MARK_EXTENSION]: mark } };
      const action = actionOf('mark', 1, said);
      const names = [entityOf('studio:ann', 'Ann'), entityOf('studio:bo', 'Bo')];
      const bundle = bundleOf('own', [photo, action], names);
      const marked = { ...recorded, verified: true, action, bundle } as NonNullable<Findings['recorded']>;
      return headlineOf({ digests, recorded: marked })?.text;
    };
    expect(headlineAfter('studio:bo')).toContain('This file by Bo is a marked copy by Ann, and it');
    expect(headlineAfter('studio:ann')).toContain('This file by Ann is a marked copy, and it');
  });

  it.each<[string, Findings, string | undefined, string | undefined]>([
    ['nothing yet', {}, undefined, undefined],
    ['nothing while one of two answers is pending', { recorded: notRecorded }, undefined, undefined],
    [
      'that nothing is known',
      {
        digests,
        recorded: notRecorded,
        examined: { kind: 'none' },
        service: { extraction: null, search: null },
      },
      'warning',
      'Nothing is known about this file here. The service cannot compare files',
    ],
    [
      'before the search, that only exact copies were looked up',
      { digests, recorded: notRecorded, examined: { kind: 'none' } },
      'warning',
      'no exact copy of this file. Only exact copies were looked up.',
    ],
    [
      'for a visitor, that a file without credentials is in no project with public checks',
      { digests, recorded: null, examined: { kind: 'none' } },
      'warning',
      'it has no Content Credentials, and no project that lets everybody check files has a record of it.',
    ],
    [
      'for a visitor, what the public detector found',
      {
        ...unpublished,
        detection: detected({
          kind: 'fingerprint',
          code: toFindingCode({ match: 'similar', ai: 'generated' }),
        }),
      },
      'info',
      'its source or another version. The published file is AI-generated. This need not be true of your file.',
    ],
    [
      'for a visitor, that exactly this file is published, rather than its credentials',
      {
        ...unpublished,
        examined: unchanged,
        detection: detected(
          {
            kind: 'manifest',
            confidence: 'high',
            code: toFindingCode({ state: 'trusted', level: 'generated' }),
          },
          { kind: 'log', confidence: 'high', code: toFindingCode({ match: 'same', ai: 'generated' }) },
        ),
      },
      'info',
      'Exactly this file is published. The published file is AI-generated.',
    ],
    [
      'for a visitor, a danger if the detector found only a broken signature',
      {
        ...unpublished,
        detection: detected({
          kind: 'manifest',
          confidence: 'low',
          code: toFindingCode({ state: 'invalid', level: 'generated' }),
        }),
      },
      'danger',
      'do not rely on these credentials',
    ],
    [
      'for a visitor, no offer to search again after the detector found nothing',
      { ...unpublished, detection: detected() },
      'warning',
      'Nothing is known about this file here. This result does not show whether the file is genuine.',
    ],
    [
      'for a member, the altered copy that the detector found rather than the similar record',
      { ...alike, detection: detected(marked, resembling) },
      'info',
      'This is probably an altered copy of a published file. The published file is AI-generated.',
    ],
    [
      'for a member, the title of the similar record rather than a resemblance that the detector found',
      { ...alike, detection: detected(resembling) },
      'info',
      'This file resembles “The heron”.',
    ],
    [
      'for a member, the similar record rather than a watermark alone',
      { ...alike, detection: detected({ ...marked, confidence: 'low', code: POINTS }) },
      'info',
      'This file resembles “The heron”.',
    ],
    [
      'for a visitor, that the page cannot read a format',
      { digests, recorded: null, examined: { kind: 'unsupported' } },
      'warning',
      'this page cannot read Content Credentials in files of this kind',
    ],
    [
      'no statement on the credentials of a file that this tab no longer has',
      { recorded: null, examined: { kind: 'none' } },
      'warning',
      'No project that lets everybody check files has a record of this file. Choose the file again',
    ],
    [
      'the maker',
      { recorded },
      'good',
      'Ann generated this file with AI (Acme painter-2) from 2 other files, and',
    ],
    [
      'an alteration rather than the maker',
      { recorded, examined: { kind: 'altered', codes: [] } },
      'danger',
      'Do not rely on this file',
    ],
    [
      'the signer of a broken signature as a claim',
      { recorded, examined: { kind: 'altered', codes: [], claimedSigner: 'Cam' } },
      'danger',
      'The broken signature names “Cam”. This is only a claim',
    ],
    [
      'the signer of a broken signature as a claim, even if only the service reads the format',
      { recorded, service: claimed },
      'danger',
      'The broken signature names “Dee”. This is only a claim',
    ],
    [
      'credentials that the service reports as invalid',
      { recorded, service: validation('invalid') },
      'danger',
      'Do not rely on this file. The signer’s certificate is not fit',
    ],
    [
      'the verdict of the service rather than the result of the browser',
      { recorded: notRecorded, examined: { kind: 'unsure' }, service: validation('trusted') },
      'good',
      'Signed by Cam and unchanged since.',
    ],
    [
      'a record that is not proven',
      { recorded: { ...recorded, verified: false, reason: 'receiptRefused' } as typeof recorded },
      'danger',
      'cannot prove it',
    ],
  ])('shows %s', (_what, findings, kind, text) => {
    const headline = headlineOf(findings);
    expect(headline?.kind).toBe(kind);
    if (text !== undefined) expect(`${headline?.text} ${headline?.more}`).toContain(text);
  });
});

describe('the advice on Content Credentials that the page cannot judge alone', () => {
  const detection = (part: Partial<Detection>) =>
    ({ layers: [], checks: [], ...part }) as Partial<Detection> as Detection;
  const manifest = {
    kind: 'manifest',
    confidence: 'medium',
    level: 'generated',
    says: '',
    code: toFindingCode({ state: 'valid', level: 'generated' }),
  } as const;

  it('leads a visitor to the public detector if it accepts the file, and everybody else to the service', () => {
    const detector = { isOffered: true, detection: undefined };
    expect(sayNext(detector, true)).toMatch(/see “Check with the public detector”\.$/);
    expect(sayNext(detector, false)).toMatch(/see “Ask the service”\.$/);
    expect(sayNext({ ...detector, isOffered: false }, true)).toMatch(/see “Ask the service”\.$/);
  });

  it('is the result of the detector after the detector has judged them', () => {
    const judged = { isOffered: true, detection: detection({ layers: [manifest] }) };
    for (const isVisitor of [true, false])
      expect(sayNext(judged, isVisitor)).toBe(
        'The public detector checked this: Signature intact, signer not verified.',
      );
    const checks = [{ kind: 'manifest', state: 'checked' } as const];
    expect(sayNext({ isOffered: true, detection: detection({ checks }) }, true)).toBe('');
    expect(sayNext({ isOffered: true, detection: detection({}) }, true)).toContain('“Ask the service”');
  });
});

describe('the connection of two files', () => {
  const crop = actionOf('crop', 0, { inputCids: ['photo'], outputCids: ['cut'] });
  const print = actionOf('print', 1, { inputCids: ['cut'], outputCids: ['z'] });
  const corrected = actionOf('fix', 2, {
    ...{ inputCids: ['other'], outputCids: ['z'] },
    extensions: { [CORRECTION_EXTENSION]: { actionId: 'print' } },
  });
  const isFrom = (cid: string, actions = [crop, print]) => {
    const bundle = { ...bundleOf('z', actions), aliases: { 'other name': 'photo' } };
    return isMadeFrom({ digests, recorded: { ...recorded, bundle } as typeof recorded }, cid);
  };

  it('comes from the records, also over several steps and for an alias of the content', () => {
    expect(['cut', 'photo', 'other name', 'z', 'stranger'].map((cid) => isFrom(cid))).toEqual([
      ...[true, true, true],
      ...[false, false],
    ]);
    expect(isMadeFrom({ digests, recorded: null }, 'photo')).toBe(false);
  });

  it('does not come from a corrected entry', () => {
    expect(['cut', 'photo', 'other'].map((cid) => isFrom(cid, [crop, print, corrected]))).toEqual([
      ...[false, false],
      true,
    ]);
  });
});

describe('the result of a search for similar content', () => {
  it('claims nothing about similar content after an exact match, because the service did not search for it', () => {
    const own = { cid: 'z', score: 1, method: 'sha256', type: 'image' };
    expect(sayMatches({ verdict: 'exact', matches: [own] }, 'z')).toBe(
      'Your project has a record of exactly this file, so the service did not search for similar ones.',
    );
    expect(sayMatches({ verdict: 'no-match', matches: [] }, 'z')).toBe(
      'Nothing similar is recorded in your project.',
    );
  });
});

describe('an action as a sentence', () => {
  it('says that content was imported', () => {
    const action = { type: 'reference', performedBy: 'x', inputCids: [], aiTool: undefined };
    expect(nameAction(action, { entities: [{ id: 'x', name: 'Ann' }] })).toBe('Ann imported this file');
  });

  it('names the files that it is about', () => {
    const own = 'this file';
    const nameIn = (outputCids: string[], inputCids: string[] = []) =>
      nameFiles(
        { outputCids, inputCids },
        { cid: 'own', aliases: { alias: 'own' } },
        { own, titles: { poster: 'Poster.png', own: 'Own.png' } },
      );
    expect([nameIn(['own']), nameIn(['alias']), nameIn([], ['own'])]).toEqual([own, own, own]);
    expect(nameIn(['poster'], ['own'])).toBe('“Poster.png” (…poster)');
    expect([nameIn(['caption-1'], ['own']), nameIn(['a', 'b'])]).toEqual(['the file …tion-1', '2 files']);
  });

  it.each(['transform', 'generate'])('says that a marked copy is a marked copy: %s', (type) => {
    const mark = { aiDisclosure: 'ai_generated', generator: { name: 'painter-2' }, markedCid: 'photo' };
    const action = { type, performedBy: 'x', aiTool: undefined, inputCids: ['photo'], outputCids: ['copy'] };
    const extensions = { [MARK_EXTENSION]: mark };
    const marking = actionOf('b', 1, { ...action, extensions });
    const made = (performedBy: string) => actionOf('a', 0, { performedBy, outputCids: ['photo'] });
    const known = { entities: [{ id: 'x', name: 'Ann' }] };
    expect(nameAction(marking, { ...known, actions: [made('y'), marking] })).toBe(
      'Ann made this file as a marked copy of another file',
    );
    expect(nameAction(marking, { ...known, actions: [made('x'), marking] })).toBe(
      'This file by Ann is a marked copy',
    );
    expect(nameAction(marking, known)).toBe('This file is a marked copy of another file');
    const entities = [...known.entities, { id: 'y', name: 'Ben' }];
    const more = (said: Partial<Action>) => actionOf('c', 1, { ...made('y'), id: 'c', ...said });
    const both = [made('x'), more({}), marking];
    expect(nameAction(marking, { entities, actions: both })).toBe(
      'This file by Ann and Ben is a marked copy',
    );
    const corrected = [
      made('x'),
      more({ extensions: { [CORRECTION_EXTENSION]: { actionId: 'a' } } }),
      marking,
    ];
    expect(nameAction(marking, { entities, actions: corrected })).toBe(
      'Ann made this file as a marked copy of another file',
    );
    expect(nameAction(action, known)).not.toContain('marked');
  });

  it('names a person without a name by their id, and a custom action by its type', () => {
    expect(
      nameAction({ type: 'ext:scan', performedBy: 'x', inputCids: [], aiTool: undefined }, { entities: [] }),
    ).toBe('somebody with the id x performed a custom action on this file (ext:scan)');
  });
});
