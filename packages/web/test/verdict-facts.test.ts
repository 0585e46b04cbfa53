import {
  type Action,
  type Bundle,
  CORRECTION_EXTENSION,
  type Detection,
  type DetectionLayer,
  MARK_EXTENSION,
  type PublicCheck,
  type SearchResult,
  toFindingCode,
} from '@colophon/model';
import { describe, expect, it } from 'vitest';
import type { Examined } from '../src/check/credentials/examine.js';
import { type Findings, headlineOf } from '../src/check/findings.js';
import { collectFacts, kindOfVerdict } from '../src/check/verdict-facts.js';
import { actionOf, bundleOf, entityOf } from './support/histories.js';

function recordedAs(given: Partial<Action>, earlier: Action[] = [], role = 'human'): Findings {
  const action = actionOf('a', 1, { outputCids: ['own'], performedBy: 'studio:ann', ...given });
  const bundle: Bundle = bundleOf('own', [...earlier, action], [entityOf('studio:ann', 'Ann', role)]);
  return { recorded: { verified: true, cid: 'own', action, bundle } } as Partial<Findings> as Findings;
}

/** A later action corrects the first one. */
function correctedAs(given: Partial<Action>): Findings {
  const first = actionOf('first', 0, { outputCids: ['own'], ...given });
  return recordedAs({ extensions: { [CORRECTION_EXTENSION]: { actionId: 'first' } } }, [first]);
}

function signedWith(ai: 'generated' | 'assisted' | 'human', signedBy = 'Cam'): Findings {
  const examined = { kind: 'unchanged', ai, display: { signedBy, signedAt: null } };
  return { examined: examined as Partial<Examined> as Examined };
}

function publishedAs(ai: 'human'): Findings {
  const matches = [{ ai, makers: [{ role: 'human', name: 'Bo' }] }];
  return { recorded: null, publicly: { matches } as Partial<PublicCheck> as PublicCheck };
}

function extractedAs(state: string, isAIGenerated: boolean, confidence = 'high'): Findings {
  const aiDetection = { isAIGenerated, isAIAssisted: false, confidence, source: 'c2pa-manifest' };
  const display = { signedBy: 'Cam', signedAt: '2026-03-01T00:00:00.000Z' };
  const service = { extraction: { aiDetection, validation: { state }, display }, search: null };
  return { service } as Partial<Findings> as Findings;
}

function similarTo(verdict: 'auto' | 'review', given: Partial<Action>): Findings {
  const { bundle } = recordedAs(given).recorded as { bundle?: Bundle };
  const search = { verdict, matches: [], bundle } as unknown as SearchResult;
  return { recorded: null, service: { extraction: null, search } };
}

function detectedAs(
  code: Parameters<typeof toFindingCode>[0],
  confidence: DetectionLayer['confidence'] = 'medium',
): Findings {
  const detection = { layers: [{ code: toFindingCode(code), confidence }] };
  return { recorded: null, detection: detection as Partial<Detection> as Detection };
}

const NO_AI = { [MARK_EXTENSION]: { aiDisclosure: null, generator: { name: 'unknown' } } };
const tool = { provider: 'Acme', model: 'fill' };

describe('the level of AI of a verdict', () => {
  it.each<[string, Findings, string]>([
    ['nothing is known', {}, 'unstated'],
    ['an AI made the file', recordedAs({}, [], 'ai'), 'generated'],
    ['the action used an AI tool', recordedAs({ aiTool: tool }), 'assisted'],
    [
      'AI made only a source',
      recordedAs({ inputCids: ['s'] }, [actionOf('s', 0, { type: 'generate', outputCids: ['s'] })]),
      'sources',
    ],
    [
      'the credentials state AI and the records do not',
      { ...recordedAs({}), ...signedWith('generated') },
      'generated',
    ],
    ['the credentials state that no AI was used', signedWith('human'), 'human'],
    ['the record states that no AI was used', recordedAs({ extensions: NO_AI }), 'human'],
    [
      'the record states that no AI was used, but AI made a source',
      recordedAs({ inputCids: ['s'], extensions: NO_AI }, [
        actionOf('s', 0, { type: 'generate', outputCids: ['s'] }),
      ]),
      'sources',
    ],
    [
      'the record states that no AI was used, but the action names an AI tool',
      recordedAs({ aiTool: tool, extensions: NO_AI }),
      'assisted',
    ],
    ['the service states AI', extractedAs('trusted', true), 'generated'],
    ['an invalid manifest states AI', extractedAs('invalid', true), 'unstated'],
    [
      'the file resembles content with AI, and can be the source of this content',
      similarTo('auto', { aiTool: tool }),
      'unstated',
    ],
    ['the file is perhaps a copy of a file with AI', similarTo('review', { aiTool: tool }), 'unstated'],
    [
      'the file has its own record, and resembles a file with AI',
      { ...similarTo('auto', { aiTool: tool }), ...recordedAs({}) },
      'unstated',
    ],
    ['the detector found exactly this file', detectedAs({ match: 'same', ai: 'human' }, 'high'), 'human'],
    ...(['source', 'similar', 'auto'] as const).map((match): [string, Findings, string] => [
      `only the fingerprint leads to content with AI, and the file can be the source of this content: ${match}`,
      detectedAs({ match, ai: 'assisted' }),
      'unstated',
    ]),
    [
      'the detector found an original with AI in its sources',
      detectedAs({ match: 'agreed', ai: 'sources' }),
      'sources',
    ],
    ['the detector found an original without AI', detectedAs({ match: 'agreed', ai: 'human' }), 'unstated'],
    ['the detector is not certain', detectedAs({ match: 'review', ai: 'generated' }, 'low'), 'unstated'],
    ['the detector read credentials', detectedAs({ state: 'valid', level: 'assisted' }), 'assisted'],
    ['the file was altered after it was signed', { examined: { kind: 'altered', codes: [] } }, 'unstated'],
  ])('is right when %s', (_what, findings, level) => {
    expect(collectFacts(findings).ai).toBe(level);
  });

  it.each<[string, Findings, string]>([
    [
      'the maker in the record',
      recordedAs({ extensions: NO_AI }),
      'Made without AI by Ann, as its record states',
    ],
    [
      'no signer, because the signer is not always the maker',
      signedWith('human'),
      'Made without AI, as its Content Credentials state',
    ],
    [
      'no recorded maker for a statement of the credentials',
      { ...recordedAs({}), ...signedWith('human') },
      'Made without AI, as its Content Credentials state',
    ],
    [
      'no signer of credentials that state nothing',
      { ...recordedAs({}), ...extractedAs('trusted', false, 'low'), ...publishedAs('human') },
      'Made without AI, as its record states',
    ],
    ['no maker of a public record', publishedAs('human'), 'Made without AI, as its record states'],
    [
      'the recorded file that the file resembles',
      similarTo('auto', { aiTool: tool }),
      'The recorded file: AI-edited',
    ],
    [
      'the recorded file that the file resembles, if its record states that no AI was used',
      similarTo('auto', { extensions: NO_AI }),
      'The recorded file: Made without AI by Ann, as its record states',
    ],
    [
      'the published file of which the detector found an altered copy',
      detectedAs({ match: 'agreed', ai: 'generated' }),
      'The recorded file: AI-generated',
    ],
    [
      'the published file if the project has a similar file without AI',
      { ...detectedAs({ match: 'agreed', ai: 'assisted' }), ...similarTo('auto', { extensions: NO_AI }) },
      'The recorded file: AI-edited',
    ],
    [
      'no other file for a fingerprint of exactly these bytes',
      detectedAs({ match: 'exact', ai: 'generated' }),
      'AI-generated',
    ],
    [
      'no maker for credentials that the detector read',
      detectedAs({ state: 'trusted', level: 'human' }, 'high'),
      'Made without AI, as its Content Credentials state',
    ],
    ['nobody when AI was used', { ...recordedAs({ aiTool: tool }), ...signedWith('human') }, 'AI-edited'],
  ])('names %s', (_who, findings, level) => {
    expect(collectFacts(findings).level).toBe(level);
  });

  it('says for a similar file that nothing states the use of AI for the file itself', () => {
    const own = 'Nothing states whether AI was used for your own file.';
    expect(collectFacts(similarTo('auto', { aiTool: tool })).means).toBe(own);
    expect(collectFacts(similarTo('auto', { extensions: NO_AI })).means).toBe(own);
    for (const findings of [similarTo('review', { aiTool: tool }), recordedAs({}), signedWith('generated')])
      expect(collectFacts(findings).means).toBeUndefined();
    const copy = detectedAs({ match: 'agreed', ai: 'generated' });
    expect(collectFacts({ ...copy, ...similarTo('auto', { aiTool: tool }) }).means).toBeUndefined();
  });

  it.each<[string, Findings, string | undefined]>([
    ['the record', recordedAs({ aiTool: tool }), 'Its record states this.'],
    [
      'a corrected record',
      correctedAs({ aiTool: tool }),
      'An earlier entry states this. A later entry corrects it.',
    ],
    [
      'the credentials of a file with a corrected record',
      { ...correctedAs({ aiTool: tool }), ...signedWith('generated') },
      'Its Content Credentials state this.',
    ],
    ['the credentials', signedWith('generated'), 'Its Content Credentials state this.'],
    [
      'the credentials, if they state more AI than the record',
      { ...recordedAs({ aiTool: tool }), ...signedWith('generated') },
      'Its Content Credentials state this.',
    ],
    ['none for a record without AI', recordedAs({}), undefined],
    ['none if the text of the level already names the maker', recordedAs({ extensions: NO_AI }), undefined],
  ])('has a source: %s', (_what, findings, source) => {
    expect(collectFacts(findings).source).toBe(source);
  });

  it('if AI was used, prevents a verdict that looks like an approval', () => {
    const good = { kind: 'good', text: '' } as const;
    const levels = ['generated', 'assisted', 'involved', 'sources', 'human', 'unstated', 'withheld'] as const;
    expect(levels.filter((ai) => kindOfVerdict(good, ai) === 'good')).toEqual([
      'human',
      'unstated',
      'withheld',
    ]);
    expect(kindOfVerdict({ kind: 'danger', text: '' }, 'generated')).toBe('danger');
  });
});

describe('the facts of a verdict besides the level of AI', () => {
  it('are the maker and the time of the record, and the signer', () => {
    expect(collectFacts({ ...recordedAs({}), ...signedWith('human') })).toMatchObject({
      maker: 'Ann',
      signer: '“Cam”, not verified',
      at: '2026-03-01T10:00:00.000Z',
    });
  });

  it('name the maker of the file, and the person who marked a copy of it if this is somebody else', () => {
    const mark = { aiDisclosure: 'ai_generated', generator: { name: 'painter-2' }, markedCid: 'photo' };
    const extensions = { [MARK_EXTENSION]: mark };
    const factsAfter = (performedBy: string) => {
      const photo = actionOf('photo', 0, { type: 'generate', outputCids: ['photo'], performedBy });
      const findings = recordedAs({ inputCids: ['photo'], extensions }, [photo]);
      const { recorded } = findings as { recorded: { bundle: Bundle } };
      recorded.bundle.entities.push(entityOf('studio:bo', 'Bo'));
      return collectFacts(findings);
    };
    const nameMaking = ({ act, maker, marker }: ReturnType<typeof collectFacts>) => [act, maker, marker];
    expect(nameMaking(factsAfter('studio:ann'))).toEqual(['made', 'Ann', undefined]);
    expect(nameMaking(factsAfter('studio:bo'))).toEqual(['made', 'Bo', 'Ann']);
    const unknown = collectFacts(recordedAs({ inputCids: ['photo'], extensions }));
    expect(nameMaking(unknown)).toEqual(['marked', 'Ann', undefined]);
  });

  it('name a signer as verified only if the service trusts the certificate', () => {
    expect(collectFacts(extractedAs('trusted', false)).signer).toBe('Cam');
    expect(collectFacts(extractedAs('valid', false)).signer).toBe('“Cam”, not verified');
  });

  it('name the recorded maker after an import, and no maker if the import corrects the step of this maker', () => {
    const first = actionOf('first', 0, { type: 'create', outputCids: ['own'], performedBy: 'studio:bo' });
    const makerAfter = (type: string, extensions: Action['extensions']) => {
      const findings = recordedAs({ type, extensions }, [first]);
      const { recorded } = findings as { recorded: { bundle: Bundle } };
      recorded.bundle.entities.push(entityOf('studio:bo', 'Bo'));
      for (const resource of recorded.bundle.resources) resource.createdBy = 'studio:bo';
      return collectFacts(findings).maker;
    };
    const correction = { [CORRECTION_EXTENSION]: { actionId: 'first' } };
    expect(makerAfter('create', correction)).toBe('Ann');
    expect(makerAfter('reference', correction)).toBeUndefined();
    expect(makerAfter('reference', {})).toBe('Bo');
  });

  it('name all makers, and after a correction the new maker in place of the replaced one', () => {
    const names = ['Ann', 'Bo', 'Cy', 'Di', 'Eve'];
    const made = names.map((name, place) =>
      actionOf(name, place, { type: 'create', outputCids: ['own'], performedBy: name }),
    );
    const correction = { [CORRECTION_EXTENSION]: { actionId: 'Ann' } };
    const corrected = actionOf('c', 9, { outputCids: ['own'], performedBy: 'Fay', extensions: correction });
    const sayOf = (...actions: Action[]) => {
      const [action = corrected] = actions;
      const entities = [...names, 'Fay'].map((name) => entityOf(name, name));
      const bundle = bundleOf('own', actions, entities);
      const recorded = { verified: true, cid: 'own', action, bundle };
      const findings = { recorded } as Partial<Findings> as Findings;
      return [collectFacts(findings).maker, headlineOf(findings)?.text];
    };
    expect(sayOf(...made.slice(0, 2))).toEqual([
      'Ann and Bo',
      'Made by Ann and Bo, and it is unchanged since.',
    ]);
    expect(sayOf(...made)[0]).toBe('Ann, Bo, Cy and 2 others');
    expect(sayOf(...made.slice(0, 1), corrected)[0]).toBe('Fay');
    expect(sayOf(...made.slice(0, 2), corrected)[0]).toBe('Bo and Fay');
  });
});
