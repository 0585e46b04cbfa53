import {
  AUDIO_METHOD,
  type CheckedMatch,
  IMAGE_METHOD,
  type Method,
  SVG_METHOD,
  TEXT_METHOD,
  VIDEO_METHOD,
} from './descriptor.js';

/** `review`: probably the same content; a person should decide. */
export type MatchVerdict = 'auto' | 'review';

export interface MethodScore {
  judgement: MatchVerdict;
  method: string;
  score: number;
}

/** Thresholds from bench/similarity.md. */
const IMAGE = {
  autoCosine: 0.85,
  autoAgreement: 0.92,
  /** Minimum agreement when the cosine is at least `autoCosine`. */
  support: 0.5,
  reviewAgreement: 0.7,
  /** Minimum for the cosine and for the agreement, when neither alone is sufficient. */
  reviewBoth: 0.52,
};
export const OVERLAP_METHOD = 'text-overlap/1';
/** Minimum shares of equal bits. */
const AUDIO = { auto: 0.85, review: 0.75 };
/** Minimum shares of the frames of the shorter video that the other video also shows. */
const VIDEO = { auto: 0.7, review: 0.25 };
/** Minimum shares of the sequences of three words that two drawings have in common. */
const SVG = { auto: 0.7, review: 0.3 };
const TEXT = { autoCosine: 0.9, autoAgreement: 0.7, reviewCosine: 0.7, reviewAgreement: 0.3 };

/** Returns undefined when the candidate is not a match. */
export function judge(method: Method, { type, cosine, agreement }: CheckedMatch): MethodScore | undefined {
  if (method === AUDIO_METHOD)
    return type === 'video' ? toReview(judgeSound(agreement)) : judgeSound(agreement);
  if (method === VIDEO_METHOD) return judgeVideo(agreement);
  if (method === SVG_METHOD) return judgeSvg(agreement);
  return method === IMAGE_METHOD ? judgePicture(cosine, agreement) : judgeText(cosine, agreement);
}

/** Leaves the decision on a match to a person, because different videos often have the same sound. */
export function toReview<Found extends { judgement: MatchVerdict } | undefined>(found: Found): Found {
  return found && { ...found, judgement: 'review' };
}

function judgeVideo(agreement: number): MethodScore | undefined {
  if (agreement < VIDEO.review) return undefined;
  const judgement = agreement >= VIDEO.auto ? 'auto' : 'review';
  return { judgement, method: VIDEO_METHOD, score: roundScore(agreement) };
}

function judgePicture(cosine: number, agreement: number): MethodScore | undefined {
  const byCosine = (judgement: MatchVerdict) => ({
    judgement,
    method: IMAGE_METHOD,
    score: roundScore(cosine),
  });
  const byFit = (judgement: MatchVerdict) => ({
    judgement,
    method: 'image-fit/2',
    score: roundScore(agreement),
  });
  if (cosine >= IMAGE.autoCosine && agreement >= IMAGE.support) return byCosine('auto');
  if (agreement >= IMAGE.autoAgreement) return byFit('auto');
  if (agreement >= IMAGE.reviewAgreement) return byFit('review');
  return Math.min(cosine, agreement) >= IMAGE.reviewBoth ? byFit('review') : undefined;
}

function judgeSound(agreement: number): MethodScore | undefined {
  if (agreement < AUDIO.review) return undefined;
  const judgement = agreement >= AUDIO.auto ? 'auto' : 'review';
  return { judgement, method: 'audio-print/1', score: roundScore(agreement) };
}

function judgeText(cosine: number, agreement: number): MethodScore | undefined {
  const byCosine = (judgement: MatchVerdict) => ({
    judgement,
    method: TEXT_METHOD,
    score: roundScore(cosine),
  });
  const byOverlap = (judgement: MatchVerdict) => ({
    judgement,
    method: OVERLAP_METHOD,
    score: roundScore(agreement),
  });
  if (cosine >= TEXT.autoCosine && agreement >= TEXT.autoAgreement) return byCosine('auto');
  if (agreement >= TEXT.reviewAgreement) return byOverlap('review');
  return cosine >= TEXT.reviewCosine ? byCosine('review') : undefined;
}

function judgeSvg(agreement: number): MethodScore | undefined {
  if (agreement < SVG.review) return undefined;
  const judgement = agreement >= SVG.auto ? 'auto' : 'review';
  return { judgement, method: SVG_METHOD, score: roundScore(agreement) };
}

export function roundScore(score: number): number {
  return Math.round(Math.max(0, Math.min(1, score)) * 1000) / 1000;
}
