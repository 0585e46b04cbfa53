import { printAgreement } from './audio/describe-print.js';
import {
  AUDIO_METHOD,
  type Candidate,
  type CheckedMatch,
  IMAGE_METHOD,
  type Method,
  VIDEO_METHOD,
} from './descriptor.js';
import { alignment } from './image/align.js';
import { EDGE, turnRaster } from './image/raster.js';
import { overlap } from './text/min-hash.js';
import { compareVideos } from './video/compare-videos.js';
import type { MatchCheckTask } from './worker/protocol.js';

/** After a picture with this agreement, candidates with a cosine below `FAR_COSINE` need no check. */
const CERTAIN = 0.9;
const FAR_COSINE = 0.6;

const COMPARISONS: Readonly<Record<Method, (a: Uint8Array, b: Uint8Array) => number>> = {
  [AUDIO_METHOD]: printAgreement,
};

/** Returns the checked candidates, best first. Requires candidates in descending order of their cosine. */
export function checkCandidates(task: MatchCheckTask): CheckedMatch[] {
  const { method, evidence, candidates } = task;
  if (method === VIDEO_METHOD) return checkVideos(task);
  const agreements =
    method === IMAGE_METHOD
      ? alignments(evidence, candidates)
      : candidates.map((candidate) => (COMPARISONS[method] ?? overlap)(evidence, candidate.evidence));
  const best = new Map<string, CheckedMatch>();
  for (const [index, agreement] of agreements.entries()) {
    const { cid, type, cosine } = candidates[index] as Candidate;
    const known = best.get(cid);
    if (known === undefined || known.agreement < agreement) best.set(cid, { cid, type, cosine, agreement });
  }
  return [...best.values()].sort((a, b) => strength(b) - strength(a));
}

/** Compares each candidate with the searched video and its mirrored frames. The better result counts. */
function checkVideos({ evidence, mirrored, candidates }: MatchCheckTask): CheckedMatch[] {
  const asked = mirrored === undefined ? [evidence] : [evidence, mirrored];
  const checked = candidates.map(({ cid, type, evidence: stored }) => {
    const [best] = asked
      .map((frames) => compareVideos(frames, stored))
      .sort((a, b) => b.agreement - a.agreement);
    return { cid, type, cosine: best?.cosine ?? 0, agreement: best?.agreement ?? 0 };
  });
  return checked.sort((a, b) => strength(b) - strength(a));
}

function strength({ cosine, agreement }: CheckedMatch): number {
  return cosine + agreement;
}

function alignments(luma: Uint8Array, candidates: readonly Candidate[]): number[] {
  const turns = turnRaster({ luma: Float64Array.from(luma), rgb: new Float64Array(EDGE * EDGE * 3) });
  const found: number[] = [];
  for (const { turn, cosine, evidence } of candidates) {
    if (cosine < FAR_COSINE && Math.max(...found) >= CERTAIN) break;
    found.push(alignment(turns[turn]?.luma ?? new Float64Array(EDGE * EDGE), evidence));
  }
  return found;
}
