import {
  type Detection,
  type DetectionCheck,
  type DetectionLayer,
  isAboutOtherFile,
  type ManifestFound,
  type PublishedFacts,
  type PublishedFound,
  type PublishedMatchKind,
  readFindingCode,
  readMatch,
  sayPublished,
} from '@colophon/model';
import { aiLevels } from '../strings/ai-levels.js';
import { check } from '../strings/check.js';
import { LEVELS } from '../strings/describe-facts.js';
import { detector as text } from '../strings/detector.js';

type AiLevelOfFacts = PublishedFacts['ai'];

/**
 * Returns the finding of a layer in the language of the page. A finding that the page does not know stays English.
 * `layers`: all layers of the detection.
 */
export function sayLayer(layer: DetectionLayer, layers: readonly DetectionLayer[] = []): string {
  const found = readFindingCode(layer.code);
  if (found !== undefined) return sayFound(found, findAgreeing(layer, layers));
  if (layer.kind !== 'manifest') return FINDINGS.get(layer.says)?.() ?? layer.says;
  const stated = text.manifestStates(sayLevel(layer.level));
  return layer.state === undefined ? stated : `${check.service.states[layer.state]}. ${stated}`;
}

/**
 * Returns the layer that agrees with the given watermark: a layer with the same publication, or else a manifest with
 * high confidence. Layers with low confidence do not count. Returns undefined if there is no such layer.
 */
function findAgreeing(
  { publication }: DetectionLayer,
  layers: readonly DetectionLayer[],
): DetectionLayer | undefined {
  const others = layers.filter(({ kind, confidence }) => kind !== 'watermark' && confidence !== 'low');
  return (
    others.find((one) => one.publication !== undefined && one.publication.id === publication?.id) ??
    others.find(({ kind, confidence }) => kind === 'manifest' && confidence === 'high')
  );
}

function sayFound(found: ManifestFound | PublishedFound, agreeing: DetectionLayer | undefined): string {
  return 'match' in found
    ? sayMatch(found, agreeing)
    : `${check.service.states[found.state]}. ${text.manifestStates(sayLevel(found.level))}`;
}

function sayMatch({ match, ai }: PublishedFound, agreeing?: DetectionLayer): string {
  const isNamed = match === 'agreed' && agreeing !== undefined;
  const found = match === 'auto' ? text.matches.similar : text.matches[match];
  return `${isNamed ? text.agreedBy(text.kinds[agreeing.kind]) : found} ${sayStatement(match, ai)}`;
}

function sayStatement(match: PublishedMatchKind, ai: AiLevelOfFacts): string {
  if (ai === 'withheld') return text.historyWithholds;
  return isAboutOtherFile(match) ? text.historyStatesOfOther(sayLevel(ai)) : text.historyStates(sayLevel(ai));
}

/**
 * Whether a layer is about another content than the file: published content that the file only resembles, or published
 * content that was made from the file.
 */
export function isAboutOther({ code }: DetectionLayer): boolean {
  return isAboutOtherFile(readMatch(code));
}

/** Returns the words for a level in a finding. A level with AI has the same words in all parts of the page. */
function sayLevel(ai: AiLevelOfFacts): string {
  return ai === 'human' || ai === 'unstated' ? text.statements[ai] : aiLevels[ai];
}

/** Whether a layer says that exactly this file is published. */
const isSame = ({ code }: DetectionLayer) => ['same', 'exact'].includes(readMatch(code) ?? '');

/** Whether the public detector found that exactly this file is published. */
export function isPublished(detection: Detection | undefined): boolean {
  return detection?.layers.some(isSame) === true;
}

/** Returns the layer that gives the result: the publication of exactly this file, or else the most confident layer. */
const findDeciding = (layers: readonly DetectionLayer[]) => layers.find(isSame) ?? layers[0];

/**
 * Whether the public detector found more than a resemblance to published content. A result with low confidence does not
 * count.
 */
export function isMoreThanAlike(detection: Detection | undefined): boolean {
  const deciding = findDeciding(detection?.layers ?? []);
  if (deciding === undefined || deciding.confidence === 'low') return false;
  return !['similar', 'auto', 'review'].includes(readMatch(deciding.code) ?? '');
}

/** Returns the meaning of the confidence of a layer. Undefined if the service states none that the page knows. */
export function sayMeaning({ kind, confidence, meaning, code }: DetectionLayer): string | undefined {
  const meanings: Readonly<Partial<Record<string, string>>> = text.meanings;
  const match = readMatch(code);
  if (match === 'exact') return text.meanings['log high'];
  if (match === 'source') return text.meansSource;
  return meanings[`${kind} ${confidence}`] ?? meaning;
}

/** Returns why a layer was not checked. A reason that the page does not know stays English. */
export function sayReason({ code, reason = '' }: DetectionCheck): { text: string; isEnglish: boolean } {
  const reasons: Readonly<Partial<Record<string, string>>> = text.reasons;
  const said = code === undefined ? undefined : reasons[code];
  return said === undefined ? { text: reason, isEnglish: true } : { text: said, isEnglish: false };
}

/**
 * Returns the result of a detection in plain words: the publication of exactly this file, or else the finding of the
 * most confident layer, which is the first one. For a finding on published content, the words name neither layers nor
 * fingerprints. `sayLayer` gives the details.
 */
export function sayResult(layers: readonly DetectionLayer[]): string {
  const first = findDeciding(layers);
  if (first === undefined) return text.none;
  const found = readFindingCode(first.code);
  if (found === undefined || !('match' in found)) return sayLayer(first, layers);
  const { match, ai } = found;
  const isOfOther = isAboutOtherFile(match) && ai !== 'unstated' && ai !== 'withheld';
  const sentences = [sayRelation(match, findAgreeing(first, layers)), text.publishedFile[ai]];
  return [...sentences, ...(isOfOther ? [text.notOfYours] : [])].join(' ');
}

/** Says how the file relates to the published content. A watermark and a resemblance together mean a copy. */
function sayRelation(match: PublishedMatchKind, agreeing: DetectionLayer | undefined): string {
  if (match === 'exact') return text.headline.same;
  if (match === 'auto') return text.headline.similar;
  const other = readMatch(agreeing?.code);
  const isCopy = match === 'agreed' && (other === 'similar' || other === 'auto');
  return isCopy ? text.headline.copy : text.headline[match];
}

/**
 * Maps the English sentence of a finding to the text of the page. Services of earlier versions send findings without a
 * code, so the page recognises these findings by the sentence.
 */
const FINDINGS: ReadonlyMap<string, () => string> = new Map(
  (Object.keys(text.matches) as (keyof typeof text.matches)[]).flatMap((match) =>
    LEVELS.map((ai): [string, () => string] => [sayPublished(match, ai), () => sayMatch({ match, ai })]),
  ),
);
