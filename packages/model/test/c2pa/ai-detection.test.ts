import { describe, expect, it } from 'vitest';
import { meaningOfSourceType } from '../../src/c2pa/digital-source-type.js';
import { detectAi } from '../../src/index.js';
import { IPTC, madeOf, readFixture, storeOf, withActions } from './support/stores.js';

const created = (type: string) =>
  withActions({ action: 'c2pa.created', digitalSourceType: `${IPTC}${type}` });
const own = (data: object) => ({ assertions: [{ label: 'org.colophon.provenance', data }] });
const GENERATED = created('trainedAlgorithmicMedia');
const CAMERA = created('digitalCapture');

function said(store: Parameters<typeof detectAi>[0]) {
  const detection = detectAi(store);
  const answer = detection?.isAIGenerated ? 'generated' : detection?.isAIAssisted ? 'assisted' : 'no';
  return `${answer}, ${detection?.confidence}`;
}

describe('meaningOfSourceType', () => {
  it.each(['constructor', '__proto__', 'toString'])(
    'returns undefined for a name outside the vocabularies: %s',
    (name) => {
      expect(meaningOfSourceType(`${IPTC}${name}`)).toBeUndefined();
      expect(meaningOfSourceType(name)).toBeUndefined();
    },
  );
});

describe('detectAi', () => {
  it('returns null without a manifest', () => {
    expect(detectAi(null)).toBeNull();
  });

  it('returns the members and values that the specification names', () => {
    expect(detectAi(readFixture('v2-edited'))).toEqual({
      isAIGenerated: false,
      isAIAssisted: true,
      confidence: 'high',
      source: 'c2pa-manifest',
    });
  });

  it.each([
    ['trainedAlgorithmicMedia', 'generated, high'],
    ['compositeWithTrainedAlgorithmicMedia', 'assisted, high'],
    ['compositeSynthetic', 'assisted, medium'],
    ['algorithmicallyEnhanced', 'assisted, medium'],
    ['algorithmicMedia', 'no, high'],
    ['digitalCapture', 'no, high'],
    ['humanEdits', 'no, high'],
    ['somethingNew', 'no, low'],
    ['constructor', 'no, low'],
  ])('reads the source type %s as %s', (type, expected) => {
    expect(said(storeOf({ a: created(type) }))).toBe(expected);
    const https = `${IPTC}${type}`.replace('http:', 'https:');
    expect(said(storeOf({ a: withActions({ action: 'c2pa.created', digitalSourceType: https }) }))).toBe(
      expected,
    );
  });

  it('reads a source type of C2PA, and a source type in a metadata assertion', () => {
    const data = { 'Iptc4xmpExt:DigitalSourceType': `${IPTC}trainedAlgorithmicMedia` };
    expect(said(storeOf({ a: { assertions: [{ label: 'cawg.metadata', data }] } }))).toBe('generated, high');
    const digitalSourceType = 'http://c2pa.org/digitalsourcetype/trainedAlgorithmicData';
    expect(said(storeOf({ a: withActions({ action: 'c2pa.created', digitalSourceType }) }))).toBe(
      'generated, high',
    );
  });

  it('reads our own assertion in addition to the AI claims of actions', () => {
    expect(said(storeOf({ a: own({ aiDisclosure: 'ai_generated' }) }))).toBe('generated, high');
    expect(said(storeOf({ a: own({ aiDisclosure: 'ai_assisted' }) }))).toBe('assisted, high');
    expect(said(storeOf({ a: own({ aiDisclosure: null }) }))).toBe('no, high');
    expect(said(storeOf({ a: own({ aiDisclosure: 'robots' }) }))).toBe('no, low');
    const both = { assertions: [...GENERATED.assertions, ...own({ aiDisclosure: null }).assertions] };
    expect(said(storeOf({ a: both }))).toBe('generated, high');
  });

  it('reads an AI edit of existing content as assistance', () => {
    const edit = { action: 'c2pa.edited', digitalSourceType: `${IPTC}trainedAlgorithmicMedia` };
    expect(said(storeOf({ a: withActions(edit) }))).toBe('generated, high');
    expect(
      said(storeOf({ a: { ...withActions(edit), ingredients: [madeOf('parentOf', 'b')] }, b: CAMERA })),
    ).toBe('assisted, high');
  });

  it('reports AI in an earlier version and in a component', () => {
    const edited = { ...withActions({ action: 'c2pa.cropped' }), ingredients: [madeOf('parentOf', 'b')] };
    expect(said(storeOf({ a: edited, b: GENERATED }))).toBe('generated, high');
    const placed = { ...CAMERA, ingredients: [madeOf('componentOf', 'b')] };
    expect(said(storeOf({ a: placed, b: GENERATED }))).toBe('assisted, medium');
  });

  it('returns low confidence without a statement about AI, or with an invalid manifest', () => {
    expect(said(storeOf({ a: {} }))).toBe('no, low');
    expect(said(storeOf({ a: GENERATED }, { validation_state: 'Invalid' }))).toBe('generated, low');
    expect(said(readFixture('v2-altered'))).toBe('assisted, low');
  });

  it('gives low confidence to AI claims of an altered earlier version or part', () => {
    const failure = [{ code: 'assertion.dataHash.mismatch' }];
    const alteredUse = (relationship: string) => ({
      ...madeOf(relationship, 'b'),
      validation_results: { activeManifest: { failure } },
    });
    const edited = { ...withActions({ action: 'c2pa.cropped' }), ingredients: [alteredUse('parentOf')] };
    expect(said(storeOf({ a: edited, b: CAMERA }))).toBe('no, low');
    expect(said(storeOf({ a: edited, b: GENERATED }))).toBe('generated, low');
    expect(said(storeOf({ a: edited, b: created('compositeSynthetic') }))).toBe('assisted, low');
    expect(said(storeOf({ a: edited, b: own({ aiDisclosure: 'ai_assisted' }) }))).toBe('assisted, low');
    const placed = { ...CAMERA, ingredients: [alteredUse('componentOf')] };
    expect(said(storeOf({ a: placed, b: GENERATED }))).toBe('assisted, low');
    expect(said(storeOf({ a: placed, b: CAMERA }))).toBe('no, high');
  });

  it('ends when manifests form a cycle', () => {
    const store = storeOf({
      a: { ingredients: [madeOf('parentOf', 'b')] },
      b: { ...GENERATED, ingredients: [madeOf('parentOf', 'a')] },
    });
    expect(said(store)).toBe('generated, high');
  });
});
