import {
  type Detection,
  isMarkerUnknown,
  type MediaExtraction,
  type PublishedFacts,
  readFindingCode,
  type SearchResult,
  workMakersOf,
} from '@colophon/model';
import { aiLevels } from '../strings/ai-levels.js';
import { check } from '../strings/check.js';
import { LEVELS, nameLevel, nameMakers } from '../strings/describe-facts.js';
import { ui } from '../strings/ui.js';
import { describeSource } from '../ui/describe-source.js';
import type { Findings, Headline } from './findings.js';
import { factsOfBundle, nameMakersOf } from './recorded-makers.js';
import { isAboutOther } from './say-detection.js';

type FactsLevel = PublishedFacts['ai'];

/** An absent member is unknown. */
export interface VerdictFacts {
  ai: FactsLevel;
  /**
   * The sentence about the level. It names who states that no AI was used, and says if the level is the level of a
   * recorded file.
   */
  level: string;
  /** Set if `level` is the level of a similar file. */
  means?: string;
  /** Says who or what states the level, if `level` does not. */
  source?: string;
  /** `marked`: `maker` only marked the file, and the maker of its original is unknown. */
  act: NonNullable<PublishedFacts['act']>;
  maker?: string;
  marker?: string;
  signer?: string;
  /** Time of the signature, or else of the recorded action. */
  at?: string;
}

/**
 * Uses the records and the Content Credentials, then the public detector, and then a similar recorded file. Ignores the
 * statements of an altered file.
 */
export function collectFacts({ recorded, publicly, examined, service, detection }: Findings): VerdictFacts {
  const read = examined?.kind === 'unchanged' ? examined : undefined;
  const extraction = service?.extraction ?? undefined;
  const display = extraction === undefined ? read?.display : (extraction.display ?? undefined);
  const record = recorded?.verified ? recorded : undefined;
  const [open] = publicly?.matches ?? [];
  const facts = record && factsOfBundle(record.bundle);
  const credentials = [read?.ai, extraction && levelOfExtraction(extraction)];
  const levels = [...credentials, open?.ai, facts?.ai].filter((level) => level !== undefined);
  const stating = facts ?? open;
  const name = (record && nameMakersOf(record.bundle)) || (stating && nameMakers(stating));
  const signedBy = display?.signedBy ?? undefined;
  const isTrusted = extraction?.validation?.state === 'trusted';
  const signer = signedBy === undefined || isTrusted ? signedBy : check.verdict.unverified(signedBy);
  const at = display?.signedAt ?? record?.action.timestamp;
  const own = levels.sort((one, other) => LEVELS.indexOf(other) - LEVELS.indexOf(one))[0] ?? 'unstated';
  const isUnknown = own === 'unstated' && record === undefined && open === undefined;
  const detected = isUnknown ? levelOfDetection(detection) : undefined;
  const isUnstated = isUnknown && (detected === undefined || detected.ai === 'unstated');
  const similar = isUnstated ? factsOfSimilar(service?.search) : undefined;
  const ai = detected?.ai ?? own;
  const shown = {
    sources: 0,
    ...stating,
    ai,
    aiCorrected: stating?.ai === ai ? stating.aiCorrected : undefined,
  };
  const isCredentialLevel = credentials.includes(ai) || detected?.isInManifest === true;
  const isInCredentials = isCredentialLevel && (ai !== 'human' || shown.withoutAiBy === undefined);
  const source = isInCredentials && isAiLevel(ai) ? ui.inManifest : describeSource(shown);
  const level = isInCredentials ? nameLevelInCredentials(ai) : nameLevel(shown);
  return {
    ai,
    level:
      similar === undefined && detected?.isAltered !== true
        ? level
        : check.verdict.ofRecorded(similar === undefined ? level : nameLevel(similar)),
    ...(similar === undefined || ai !== 'unstated' ? {} : { means: check.verdict.ofOwn }),
    ...(source === undefined ? {} : { source }),
    ...nameMaking(stating, name),
    ...(signer === undefined ? {} : { signer }),
    ...(at === undefined ? {} : { at }),
  };
}

/** `name`: the performers of the steps that made the file. */
function nameMaking(
  facts: PublishedFacts | undefined,
  name = '',
): Pick<VerdictFacts, 'act' | 'maker' | 'marker'> {
  const maker = facts?.act === 'marked' ? nameMakers(workMakersOf(facts)) : '';
  if (facts === undefined || maker === '')
    return { act: facts?.act ?? 'made', ...(name === '' ? {} : { maker: name }) };
  return { act: 'made', maker, ...(isMarkerUnknown(facts) || name === '' ? {} : { marker: name }) };
}

/** The words do not name the signer, who may have taken the statement from an earlier version of the file. */
export function nameLevelInCredentials(ai: FactsLevel): string {
  return ai === 'human' ? aiLevels.inCredentials : aiLevels[ai];
}

/**
 * Returns the facts of the recorded file that this file certainly resembles. The level of this file stays unstated,
 * because it can be the source of the recorded file.
 */
function factsOfSimilar(search: SearchResult | null | undefined): PublishedFacts | undefined {
  if (search?.verdict !== 'auto' || !search.bundle) return undefined;
  const facts = factsOfBundle(search.bundle);
  return facts.ai === 'unstated' ? undefined : facts;
}

interface DetectedLevel {
  ai: FactsLevel;
  isInManifest: boolean;
  isAltered: boolean;
}

/**
 * Returns the level of the most confident layer about the file itself. A fingerprint alone gives no level, because the
 * file can be the original without AI. An altered copy of content without AI has none either, because the change may
 * have used AI.
 */
function levelOfDetection(detection: Detection | undefined): DetectedLevel | undefined {
  const layer = detection?.layers.find((one) => !isAboutOther(one));
  const found = readFindingCode(layer?.code);
  if (layer === undefined || layer.confidence === 'low' || found === undefined) return undefined;
  if (!('match' in found)) return { ai: found.level, isInManifest: true, isAltered: false };
  const isAltered = found.match !== 'same' && found.match !== 'exact';
  return isAltered && !isAiLevel(found.ai) ? undefined : { ai: found.ai, isInManifest: false, isAltered };
}

export function levelOfExtraction({ aiDetection, validation }: MediaExtraction): FactsLevel | undefined {
  if (aiDetection === null || validation?.state === 'invalid') return undefined;
  const { isAIGenerated, isAIAssisted, confidence } = aiDetection;
  if (isAIGenerated) return 'generated';
  if (isAIAssisted) return confidence === 'medium' ? 'involved' : 'assisted';
  return confidence === 'high' ? 'human' : 'unstated';
}

/** Returns true for AI in the file or in its sources. */
export function isAiLevel(ai: FactsLevel): boolean {
  return LEVELS.indexOf(ai) >= LEVELS.indexOf('sources');
}

/** A file with AI never gets the kind `good`, which looks like an approval. */
export function kindOfVerdict({ kind }: Headline, ai: FactsLevel): Headline['kind'] {
  return kind === 'good' && isAiLevel(ai) ? 'info' : kind;
}
