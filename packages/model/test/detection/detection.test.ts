import { describe, expect, it } from 'vitest';
import type { DetectionFacts, DetectionLayer } from '../../src/detection/detection.js';
import { DETECTION_TYPE, signDetection, verifyDetection } from '../../src/detection/detection-report.js';
import {
  explainConfidence,
  isAboutOtherFile,
  readFindingCode,
  readMatch,
  sayManifest,
  sayPublished,
  sortLayers,
  sumUpDetection,
  toFindingCode,
} from '../../src/detection/detection-texts.js';
import { AI_LEVELS } from '../../src/labels/ai-label.js';
import { dssePae } from '../../src/proofs/dsse.js';
import { createSigner, verifyEd25519 } from '../../src/proofs/ed25519.js';
import { expectToHold, readExamples } from '../support/docstring-examples.js';

const { publicKey, sign } = createSigner('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60');
const signer = { publicKeyHex: publicKey, sign: (text: string) => String(sign(text)) };
const trusted = { publicKey: Buffer.from(publicKey, 'hex'), verify: verifyEd25519 };
const layer = (confidence: DetectionLayer['confidence']): DetectionLayer => ({
  kind: 'manifest',
  confidence,
  level: 'generated',
  disclosure: 'ai_generated',
  says: `A finding of ${confidence} confidence.`,
});
const FACTS: DetectionFacts = {
  service: 'provenance.example',
  cid: 'bafkrei',
  mimeType: 'image/png',
  size: 8,
  detectedAt: '2026-12-02T09:30:00.000Z',
  summary: 'A finding.',
  layers: [layer('high')],
  checks: [{ kind: 'manifest', state: 'checked' }],
};

describe('a detection report', () => {
  it('is a DSSE envelope from which the verifier returns the facts', () => {
    const report = signDetection(FACTS, signer);
    expect(verifyDetection(report, trusted)).toEqual({ verified: true, facts: FACTS });
    const payload = Buffer.from(report.payload, 'base64').toString();
    expect(JSON.parse(payload)).toEqual(FACTS);
    const signed = Buffer.from(dssePae(DETECTION_TYPE, payload));
    const [{ keyid, sig } = { keyid: '', sig: '' }] = report.signatures;
    expect(verifyEd25519(Buffer.from(keyid, 'hex'), signed, Buffer.from(sig, 'base64'))).toBe(true);
  });

  it('does not verify after a change of any byte of its payload', () => {
    const report = signDetection(FACTS, signer);
    const payload = Buffer.from(report.payload, 'base64');
    for (const [at, byte] of payload.entries()) {
      const changed = Buffer.from(payload);
      changed[at] = byte ^ 1;
      const altered = { ...report, payload: changed.toString('base64') };
      expect(verifyDetection(altered, trusted).verified).toBe(false);
    }
  }, 60_000);

  it('does not verify with an inserted byte order mark or with bytes that are not UTF-8', () => {
    const report = signDetection(FACTS, signer);
    const payload = Buffer.from(report.payload, 'base64');
    const verdictOf = (bytes: Buffer) =>
      verifyDetection({ ...report, payload: bytes.toString('base64') }, trusted);
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), payload]);
    expect(verdictOf(marked)).toEqual({ verified: false, reason: 'badSignature' });
    const invalid = Buffer.concat([payload, Buffer.from([0xff])]);
    expect(verdictOf(invalid)).toEqual({ verified: false, reason: 'malformed' });
  });

  it.each([
    ['the value undefined', undefined, 'malformed'],
    ['another type', { ...signDetection(FACTS, signer), payloadType: 'text/plain' }, 'malformed'],
    ['no base64', { ...signDetection(FACTS, signer), payload: '*' }, 'malformed'],
    ['no signature', { ...signDetection(FACTS, signer), signatures: [] }, 'untrustedKey'],
  ])('does not verify with %s', (_, report, reason) => {
    expect(verifyDetection(report, trusted)).toEqual({ verified: false, reason });
  });

  it('is malformed when the signed text is not a report', () => {
    const payload = Buffer.from('no JSON').toString('base64');
    const sig = Buffer.from(signer.sign(dssePae(DETECTION_TYPE, 'no JSON')), 'hex').toString('base64');
    const report = { payloadType: DETECTION_TYPE, payload, signatures: [{ keyid: publicKey, sig }] };
    expect(verifyDetection(report, trusted)).toEqual({ verified: false, reason: 'malformed' });
  });
});

describe('the code of a finding', () => {
  const statements = [...AI_LEVELS, 'sources', 'withheld'] as const;
  const matches = [
    ...(['same', 'exact', 'source', 'similar', 'auto', 'review'] as const),
    ...(['points', 'agreed', 'contradicted'] as const),
  ];
  const published = matches.flatMap((match) => statements.map((ai) => ({ match, ai })));
  const manifests = (['invalid', 'valid', 'trusted'] as const).flatMap((state) =>
    AI_LEVELS.map((level) => ({ state, level })),
  );

  it('decodes to the finding, and no two findings share a code', () => {
    const all = [...published, ...manifests];
    expect(all.map((found) => readFindingCode(toFindingCode(found)))).toEqual(all);
    expect(new Set(all.map(toFindingCode)).size).toBe(all.length);
  });

  it.each([
    undefined,
    '',
    'same',
    'same-',
    'same-new',
    'new-generated',
    'same-generated-1',
    'valid-withheld',
  ])('is unknown: %s', (code) => {
    expect(readFindingCode(code)).toBeUndefined();
  });
});

describe('the words of a detection', () => {
  it('begin with the most confident layer', () => {
    const layers = [layer('low'), layer('high'), layer('medium')];
    expect(sortLayers(layers).map(({ confidence }) => confidence)).toEqual(['high', 'medium', 'low']);
    expect(sumUpDetection(layers, [])).toBe('A finding of high confidence. Confidence: high.');
  });

  it('do not call a file without marks human work, and name the layers that were not checked', () => {
    const checks = [{ kind: 'fingerprint', state: 'unavailable' } as const];
    expect(sumUpDetection([], checks)).toBe(
      'No mark was found. This does not show that people made the content. Not checked: fingerprint.',
    );
  });

  it('explain the confidence of each layer', () => {
    expect(explainConfidence({ kind: 'watermark', confidence: 'low' })).toMatch(/copy a watermark/);
    expect(explainConfidence({ kind: 'log', confidence: 'high' })).toMatch(/exactly the published bytes/);
    expect(explainConfidence({ kind: 'log', confidence: 'low' })).toBeUndefined();
  });

  it('name the layer that agrees with a watermark if this layer is known', () => {
    expect(sayPublished('agreed', 'generated', 'log')).toMatch(/^A watermark in .* and so does the log/);
    expect(sayPublished('agreed', 'generated', 'manifest')).not.toMatch(/altered/);
    expect(sayPublished('agreed', 'generated')).toMatch(/content, and another layer agrees\./);
    expect(sayPublished('points', 'generated', 'manifest')).not.toMatch(/so does/);
  });

  it('call a file a probable altered copy if its watermark and fingerprint lead to one content', () => {
    expect(sayPublished('agreed', 'assisted', 'fingerprint')).toMatch(
      /^The file is probably an altered copy of published content: .* so does the fingerprint of the file\./,
    );
    expect(sayPublished('points', 'assisted')).not.toMatch(/altered copy/);
  });

  it('never say that a copy with the same bytes is altered', () => {
    expect(sayPublished('exact', 'generated')).not.toMatch(/altered/);
  });

  it.each(['similar', 'auto', 'review'] as const)(
    'leave open whether a similar file is a copy, the source or another version, and whether AI made it: %s',
    (match) => {
      const said = sayPublished(match, 'assisted');
      expect(said).toMatch(/can be an altered copy of this content, its source(,| or) another version/);
      expect(said).toMatch(/states for the published content, not for this file: the content was modified/);
      expect(isAboutOtherFile(match)).toBe(true);
    },
  );

  it('say that content was made from the file if the history names the file as a source', () => {
    expect(sayPublished('source', 'assisted')).toMatch(/^The published content was made from this file\./);
    const code = toFindingCode({ match: 'source', ai: 'assisted' });
    expect(explainConfidence({ kind: 'fingerprint', confidence: 'medium', code })).toMatch(/as a source\.$/);
    expect(isAboutOtherFile('agreed')).toBe(false);
  });

  it('begin with a finding about the file itself, before a fingerprint of the same confidence', () => {
    const print = { ...layer('medium'), code: toFindingCode({ match: 'similar', ai: 'assisted' }) };
    const mark = { ...layer('medium'), code: toFindingCode({ match: 'agreed', ai: 'assisted' }) };
    expect(sortLayers([layer('low'), print, mark])).toEqual([mark, print, layer('low')]);
  });

  it('distinguish human work from no statement', () => {
    expect(sayManifest('Signed by Ann', 'human')).toMatch(/AI took no part in making the content\.$/);
    expect(sayPublished('same', 'unstated')).toMatch(/nothing about AI\.$/);
    expect(sayPublished('same', 'withheld')).toMatch(/withholds whether AI took part\.$/);
  });
});

describe('the examples in docstrings', () => {
  const examples = readExamples(new URL('../../src/detection/', import.meta.url));
  it.each(examples)('state the actual result: $file: $code', ({ code }) =>
    expectToHold(code, { readFindingCode, readMatch, toFindingCode, verifyDetection }),
  );
});
