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

/** An unknown finding stays English. `layers`: all layers of the detection. */
export function sayLayer(layer: DetectionLayer, layers: readonly DetectionLayer[] = []): string {
  const found = readFindingCode(layer.code);
  if (found !== undefined) return sayFound(found, findAgreeing(layer, layers));
  if (layer.kind !== 'manifest') return FINDINGS.get(layer.says)?.() ?? layer.says;
  const stated = text.manifestStates(sayLevel(layer.level));
  return layer.state === undefined ? stated : `${check.service.states[layer.state]}. ${stated}`;
}

/**
 * Returns the layer that agrees with a watermark: one with the same publication, or else a manifest with high
 * confidence. Layers with low confidence do not count.
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

/** Whether a layer is about published content that only resembles the file, or that was made from it. */
export function isAboutOther({ code }: DetectionLayer): boolean {
  return isAboutOtherFile(readMatch(code));
}

/** A level with AI has the same words in all parts of the page. */
function sayLevel(ai: AiLevelOfFacts): string {
  return ai === 'human' || ai === 'unstated' ? text.statements[ai] : aiLevels[ai];
}

const isSame = ({ code }: DetectionLayer) => ['same', 'exact'].includes(readMatch(code) ?? '');

/** Whether exactly this file is published. */
export function isPublished(detection: Detection | undefined): boolean {
  return detection?.layers.some(isSame) === true;
}

const findDeciding = (layers: readonly DetectionLayer[]) => layers.find(isSame) ?? layers[0];

/** Whether the detector found more than a resemblance. A result with low confidence does not count. */
export function isMoreThanAlike(detection: Detection | undefined): boolean {
  const deciding = findDeciding(detection?.layers ?? []);
  if (deciding === undefined || deciding.confidence === 'low') return false;
  return !['similar', 'auto', 'review'].includes(readMatch(deciding.code) ?? '');
}

/** Returns undefined if the page knows no meaning. */
export function sayMeaning({ kind, confidence, meaning, code }: DetectionLayer): string | undefined {
  const meanings: Readonly<Partial<Record<string, string>>> = text.meanings;
  const match = readMatch(code);
  if (match === 'exact') return text.meanings['log high'];
  if (match === 'source') return text.meansSource;
  return meanings[`${kind} ${confidence}`] ?? meaning;
}

/** An unknown reason stays English. */
export function sayReason({ code, reason = '' }: DetectionCheck): { text: string; isEnglish: boolean } {
  const reasons: Readonly<Partial<Record<string, string>>> = text.reasons;
  const said = code === undefined ? undefined : reasons[code];
  return said === undefined ? { text: reason, isEnglish: true } : { text: said, isEnglish: false };
}

/**
 * Returns the result in plain words: the publication of exactly this file, or else the finding of the first layer,
 * which is the most confident.
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

/** A watermark and a resemblance together mean a copy. */
function sayRelation(match: PublishedMatchKind, agreeing: DetectionLayer | undefined): string {
  if (match === 'exact') return text.headline.same;
  if (match === 'auto') return text.headline.similar;
  const other = readMatch(agreeing?.code);
  const isCopy = match === 'agreed' && (other === 'similar' || other === 'auto');
  return isCopy ? text.headline.copy : text.headline[match];
}

/**
 * Maps English sentences to the texts of the page, because earlier versions of the service send findings without a
 * code.
 */
const FINDINGS: ReadonlyMap<string, () => string> = new Map(
  (Object.keys(text.matches) as (keyof typeof text.matches)[]).flatMap((match) =>
    LEVELS.map((ai): [string, () => string] => [sayPublished(match, ai), () => sayMatch({ match, ai })]),
  ),
);
