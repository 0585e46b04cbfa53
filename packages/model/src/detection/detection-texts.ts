import { AI_LEVELS, type AiLevel } from '../labels/ai-label.js';
import type { PublishedFacts } from '../publications/published-history.js';
import type { DetectionCheck, DetectionLayer } from './detection.js';

const STATEMENTS: Readonly<Record<AiLevel, string>> = {
  generated: 'the content was generated with AI',
  assisted: 'the content was modified with AI',
  involved: 'AI took part in making the content',
  human: 'AI took no part in making the content',
  unstated: 'nothing about AI',
};

const ORDER = ['high', 'medium', 'low'] as const;

/** Returns the finding on a manifest in plain words. `headline` is the headline of the file's display texts. */
export function sayManifest(headline: string, level: AiLevel): string {
  return `${headline}. Its manifest states: ${STATEMENTS[level]}.`;
}

/**
 * The relation of a file to published content. `same`: the same bytes. `exact`: the fingerprint leads to content with
 * the same bytes. `source`: the fingerprint leads to content whose published history names the bytes of the file as a
 * source. `similar`: the fingerprints match. `review`: the fingerprints perhaps match. A fingerprint does not show
 * which of two files was made from the other. `auto`: services of earlier versions return it instead of `similar`.
 * `points`: a watermark in the file points to the content. `agreed`: a watermark points to the content, and the bytes,
 * the fingerprint or the trusted manifest of the file lead to it too. `contradicted`: a watermark points to the
 * content, but the manifest of the file names another watermark.
 */
export type PublishedMatchKind = (typeof PUBLISHED_MATCHES)[number];

const PUBLISHED_MATCHES = [
  ...(['same', 'exact', 'source', 'similar', 'auto', 'review'] as const),
  ...(['points', 'agreed', 'contradicted'] as const),
] as const;

/** In these matches, the level of AI is the level of the published content, not of the file. */
const ABOUT_OTHER_FILE: readonly PublishedMatchKind[] = ['source', 'similar', 'auto', 'review'];
const MANIFEST_STATES = ['invalid', 'valid', 'trusted'] as const;
const PUBLISHED_STATEMENTS = [...AI_LEVELS, 'sources', 'withheld'] as const;

/** A finding on a manifest in the file. */
export interface ManifestFound {
  state: (typeof MANIFEST_STATES)[number];
  level: AiLevel;
}

/** A finding on published content. `ai` is the member `ai` of the published facts. */
export interface PublishedFound {
  match: PublishedMatchKind;
  ai: PublishedFacts['ai'];
}

/**
 * Returns the stable code of a finding, for texts in other languages. `readFindingCode` reads it.
 *
 * @example
 * toFindingCode({ match: 'same', ai: 'generated' }); // => 'same-generated'
 */
export function toFindingCode(found: ManifestFound | PublishedFound): string {
  return 'match' in found ? `${found.match}-${found.ai}` : `${found.state}-${found.level}`;
}

/**
 * Reads the code of a finding. Returns undefined for a code that only another version has. In this case, show the
 * English text in the member `says` of the layer instead.
 *
 * @example
 * readFindingCode('valid-assisted'); // => { state: 'valid', level: 'assisted' }
 */
export function readFindingCode(code: string | undefined): ManifestFound | PublishedFound | undefined {
  const [finding, statement, ...more] = (code ?? '').split('-');
  if (more.length > 0) return undefined;
  const match = PUBLISHED_MATCHES.find((one) => one === finding);
  const ai = PUBLISHED_STATEMENTS.find((one) => one === statement);
  if (match !== undefined && ai !== undefined) return { match, ai };
  const state = MANIFEST_STATES.find((one) => one === finding);
  const level = AI_LEVELS.find((one) => one === statement);
  return state === undefined || level === undefined ? undefined : { state, level };
}

/**
 * Whether the level of AI of a finding is only the level of the published content. This level can be wrong for the
 * file: the file can be a source without AI, from which somebody made the published content with AI.
 */
export function isAboutOtherFile(match: PublishedMatchKind | undefined): boolean {
  return match !== undefined && ABOUT_OTHER_FILE.includes(match);
}

const RESEMBLES =
  'The file resembles published content. It can be an altered copy of this content, its source or another version.';

/** The ends of the sentence for `agreed`, after "and so does". */
const AGREEING: Readonly<Partial<Record<DetectionLayer['kind'], string>>> = {
  manifest: 'the manifest of the file',
  fingerprint: 'the fingerprint of the file',
  log: 'the log, which has exactly the bytes of the file',
};

/**
 * Returns the finding on published content in plain words. `ai` is the member `ai` of the published facts. `agreeing`:
 * for the match `agreed`, the layer that leads to the same content.
 */
export function sayPublished(
  match: PublishedMatchKind,
  ai: PublishedFacts['ai'],
  agreeing?: DetectionLayer['kind'],
): string {
  const other = agreeing === undefined ? undefined : AGREEING[agreeing];
  const agrees = other === undefined ? 'another layer agrees' : `so does ${other}`;
  const agreed =
    agreeing === 'fingerprint'
      ? `The file is probably an altered copy of published content: a watermark in it points to this content, and ${agrees}.`
      : `A watermark in the file points to published content, and ${agrees}.`;
  const found = {
    same: 'Exactly this file is published.',
    exact: 'The fingerprint of the file leads to published content.',
    source: 'The published content was made from this file.',
    similar: RESEMBLES,
    auto: RESEMBLES,
    review:
      'The file perhaps resembles published content. It can be an altered copy of this content, its source, another version or other content. A person should compare both.',
    points:
      'A watermark in the file points to published content. Watermarks can be copied to other content, so a watermark proves no origin.',
    agreed,
    contradicted:
      'A watermark in the file points to published content, but the manifest of the file names another watermark. The watermark can be a copy, so it proves no origin.',
  };
  if (ai === 'withheld') return `${found[match]} The published history withholds whether AI took part.`;
  const statement = ai === 'sources' ? 'AI took part in making the sources of the content' : STATEMENTS[ai];
  const about = isAboutOtherFile(match) ? ' for the published content, not for this file' : '';
  return `${found[match]} The published history states${about}: ${statement}.`;
}

const MEANINGS: Readonly<
  Partial<Record<`${DetectionLayer['kind']} ${DetectionLayer['confidence']}`, string>>
> = {
  'manifest high': 'The file is unchanged since its signer signed it, and this service trusts the signer.',
  'manifest medium':
    'The file is unchanged since its signer signed it, but this service does not trust the signer.',
  'manifest low':
    'The file was changed after it was signed, or the signature is invalid. So the manifest proves nothing about the file.',
  'log high': 'The file has exactly the published bytes.',
  'fingerprint medium':
    'The fingerprints match. They do not show how the two files differ, or which of them was made from the other.',
  'fingerprint low':
    'The fingerprints match only in part. The file can also be other content that looks, sounds or reads alike.',
  'watermark medium': 'The watermark is not the only mark that leads to the published content.',
  'watermark low':
    'Only the watermark leads to the published content, and everybody can copy a watermark to other content.',
};

/**
 * Returns the meaning of the confidence of a layer in plain words. Returns undefined for a confidence that this layer
 * never has.
 */
export function explainConfidence({
  kind,
  confidence,
  code,
}: Pick<DetectionLayer, 'kind' | 'confidence' | 'code'>): string | undefined {
  const match = readMatch(code);
  if (match === 'exact') return MEANINGS['log high'];
  return match === 'source' ? OF_SOURCE : MEANINGS[`${kind} ${confidence}`];
}

const OF_SOURCE = 'The published history names exactly the bytes of this file as a source.';

/**
 * Returns the layers, most confident first. Among layers of the same confidence, the layers about the file itself come
 * first. The layers whose level of AI is only the level of the published content follow (see `isAboutOtherFile`). In
 * each of these two parts, the layers keep their order.
 */
export function sortLayers(layers: readonly DetectionLayer[]): DetectionLayer[] {
  const rankOf = (layer: DetectionLayer) =>
    ORDER.indexOf(layer.confidence) + (isAboutOtherFile(readMatch(layer.code)) ? 0.5 : 0);
  return layers.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/**
 * Reads the relation to published content in the code of a finding. Undefined for all other codes.
 *
 * @example
 * readMatch('source-human'); // => 'source'
 */
export function readMatch(code: string | undefined): PublishedMatchKind | undefined {
  const found = readFindingCode(code);
  return found !== undefined && 'match' in found ? found.match : undefined;
}

/** Returns the result of a detection in plain words. */
export function sumUpDetection(layers: readonly DetectionLayer[], checks: readonly DetectionCheck[]): string {
  const unchecked = checks.filter(({ state }) => state === 'unavailable').map(({ kind }) => kind);
  const limits = unchecked.length === 0 ? '' : ` Not checked: ${unchecked.join(', ')}.`;
  const [first] = sortLayers(layers);
  if (first === undefined)
    return `No mark was found. This does not show that people made the content.${limits}`;
  return `${first.says} Confidence: ${first.confidence}.${limits}`;
}
