/** The IPTC NewsCodes scheme "Digital Source Type" (https://cv.iptc.org/newscodes/digitalsourcetype/). */
export const IPTC_SOURCE_TYPES = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

/** Source types that C2PA adds (C2PA 2.3 §18.15). */
const C2PA_SOURCE_TYPES = 'http://c2pa.org/digitalsourcetype/';

/** `perhaps-assisted`: the type leaves open whether AI took part. */
export type SourceTypeMeaning = 'generated' | 'assisted' | 'perhaps-assisted' | 'no-ai';

/**
 * The meanings follow the definitions of the scheme. `compositeSynthetic` and `algorithmicallyEnhanced` leave open
 * whether AI took part. `algorithmicMedia` is "not based on any sampled training data", so it does not count as AI.
 */
const IPTC_MEANINGS: Readonly<Record<string, SourceTypeMeaning>> = {
  trainedAlgorithmicMedia: 'generated',
  compositeWithTrainedAlgorithmicMedia: 'assisted',
  compositeSynthetic: 'perhaps-assisted',
  algorithmicallyEnhanced: 'perhaps-assisted',
  algorithmicMedia: 'no-ai',
  dataDrivenMedia: 'no-ai',
  digitalCapture: 'no-ai',
  computationalCapture: 'no-ai',
  negativeFilm: 'no-ai',
  positiveFilm: 'no-ai',
  print: 'no-ai',
  minorHumanEdits: 'no-ai',
  humanEdits: 'no-ai',
  composite: 'no-ai',
  compositeCapture: 'no-ai',
  digitalArt: 'no-ai',
  digitalCreation: 'no-ai',
  screenCapture: 'no-ai',
  virtualRecording: 'no-ai',
};

const C2PA_MEANINGS: Readonly<Record<string, SourceTypeMeaning>> = {
  trainedAlgorithmicData: 'generated',
  empty: 'no-ai',
};

/** Returns undefined for a type that is in neither table. */
export function meaningOfSourceType(sourceType: string): SourceTypeMeaning | undefined {
  const uri = sourceType.replace(/^https:/, 'http:');
  if (uri.startsWith(IPTC_SOURCE_TYPES))
    return ownMeaning(IPTC_MEANINGS, uri.slice(IPTC_SOURCE_TYPES.length));
  if (uri.startsWith(C2PA_SOURCE_TYPES))
    return ownMeaning(C2PA_MEANINGS, uri.slice(C2PA_SOURCE_TYPES.length));
  return undefined;
}

export function isSourceTypeOfAi(sourceType: string | undefined): boolean {
  return levelOfSourceType(sourceType) !== undefined;
}

/**
 * Returns `generated` if a digital source type states that AI made the content, and `assisted` if it states that AI
 * edited the content. Returns undefined for any other type.
 *
 * @example
 * const scheme = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
 * levelOfSourceType(`${scheme}trainedAlgorithmicMedia`); // => 'generated'
 * levelOfSourceType(`${scheme}digitalCapture`); // => undefined
 */
export function levelOfSourceType(sourceType: string | undefined): 'generated' | 'assisted' | undefined {
  const meaning = sourceType === undefined ? undefined : meaningOfSourceType(sourceType);
  return meaning === 'generated' || meaning === 'assisted' ? meaning : undefined;
}

function ownMeaning(meanings: Readonly<Record<string, SourceTypeMeaning>>, name: string) {
  return Object.hasOwn(meanings, name) ? meanings[name] : undefined;
}
