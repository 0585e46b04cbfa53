/** The IPTC NewsCodes scheme "Digital Source Type" (https://cv.iptc.org/newscodes/digitalsourcetype/). */
export const IPTC_SOURCE_TYPES = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

/** Source types that C2PA adds (C2PA 2.3 §18.15). */
const C2PA_SOURCE_TYPES = 'http://c2pa.org/digitalsourcetype/';

/** The statement of a digital source type on AI. `perhaps-assisted`: the type does not decide whether AI took part. */
export type SourceTypeMeaning = 'generated' | 'assisted' | 'perhaps-assisted' | 'no-ai';

/**
 * The meanings follow the definitions of the scheme. `compositeSynthetic` includes synthetic content, made with or
 * without AI. `algorithmicallyEnhanced` was altered by an algorithm of any kind. `algorithmicMedia` was made
 * by an algorithm "not based on any sampled training data", so it does not count as AI.
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

/** Returns the AI meaning of a digital source type. Undefined for a type that neither vocabulary has. */
export function meaningOfSourceType(sourceType: string): SourceTypeMeaning | undefined {
  const uri = sourceType.replace(/^https:/, 'http:');
  if (uri.startsWith(IPTC_SOURCE_TYPES))
    return ownMeaning(IPTC_MEANINGS, uri.slice(IPTC_SOURCE_TYPES.length));
  if (uri.startsWith(C2PA_SOURCE_TYPES))
    return ownMeaning(C2PA_MEANINGS, uri.slice(C2PA_SOURCE_TYPES.length));
  return undefined;
}

/** Whether a digital source type states that AI made or edited the content. */
export function isSourceTypeOfAi(sourceType: string | undefined): boolean {
  const meaning = sourceType === undefined ? undefined : meaningOfSourceType(sourceType);
  return meaning === 'generated' || meaning === 'assisted';
}

function ownMeaning(meanings: Readonly<Record<string, SourceTypeMeaning>>, name: string) {
  return Object.hasOwn(meanings, name) ? meanings[name] : undefined;
}
