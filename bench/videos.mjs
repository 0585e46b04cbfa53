// Measures whether frames distinguish changed copies of a video from other videos. Needs ffmpeg. PHOTOS names a folder
// of photographs (JPEG).
import { readConfig } from '../packages/server/dist/config.js';
import { checkCandidates } from '../packages/server/dist/search/check-candidates.js';
import { judge } from '../packages/server/dist/search/classify-match.js';
import { VIDEO_METHOD } from '../packages/server/dist/search/descriptor.js';
import { readFrames } from '../packages/server/dist/search/video/read-frames.js';
import { describeVideo } from '../packages/server/dist/search/worker/describe-video.js';
import { CHANGES, listShows, openStudio, SOURCES } from './support/videos.mjs';

/**
 * `from` is the number of the first video of each source, and `count` the number of videos of each source. `TUNING=1`
 * selects the tuning set, from which the thresholds come.
 */
const SETS = { tuning: { from: 0, count: 1 }, reported: { from: 101, count: 2 } };
const SOURCE_SECONDS = 10;
/** Slide shows of photographs in the tuning set. The reported set has twice as many. */
const SHOWS = 2;

export async function run(report) {
  const set = process.env.TUNING ? 'tuning' : 'reported';
  report.section(`videos: ${set} set`);
  const { ffmpeg } = readConfig({ PATH: process.env.PATH }).search;
  if (ffmpeg === undefined) return report.note('ffmpeg is not installed: nothing measured');
  const studio = openStudio(ffmpeg);
  try {
    const clips = await makeClips(studio, set);
    report.note(`${clips.length} videos of ${SOURCE_SECONDS} s`);
    const describe = async (file) => describeFile(ffmpeg, studio.read(file));
    const stored = [];
    for (const clip of clips) stored.push({ ...clip, described: await describe(clip.file) });
    const strangers = stored.flatMap((one, at) =>
      stored.slice(at + 1).map((other) => compare(one.described, other)),
    );
    for (const name of Object.keys(CHANGES)) {
      const outcomes = [];
      for (const clip of stored) {
        const changed = await describe(studio.change(name, clip.file));
        outcomes.push({ name: clip.name, ...compare(changed, clip) });
        strangers.push(...stored.filter((other) => other !== clip).map((other) => compare(changed, other)));
      }
      reportShares(report, name, outcomes);
    }
    reportStrangers(report, 'different videos', strangers);
    reportStrangers(
      report,
      'different videos with a common intro',
      await compareIntros(studio, { stored, describe }),
    );
  } finally {
    studio.close();
  }
}

async function makeClips(studio, set) {
  const { from, count } = SETS[set];
  const clips = [];
  for (let number = from; number < from + count; number++) {
    for (const kind of Object.keys(SOURCES))
      clips.push({ name: `${kind} ${number}`, file: studio.makeClip(kind, number) });
    const pictures = await studio.makePictures(number);
    clips.push({ name: `slides ${number}`, file: studio.makeSlides(pictures) });
  }
  const shows = process.env.PHOTOS ? listShows(process.env.PHOTOS) : [];
  const chosen = set === 'tuning' ? shows.slice(0, SHOWS) : shows.slice(SHOWS, 3 * SHOWS);
  for (const [number, show] of chosen.entries())
    clips.push({ name: `photographs ${number}`, file: studio.makeSlides(show) });
  return clips;
}

async function describeFile(ffmpeg, bytes) {
  const { signal } = new AbortController();
  const content = (async function* () {
    yield bytes;
  })();
  const frames = await readFrames(ffmpeg, { content, demuxer: 'mov', signal, limitMs: 60_000 });
  const found = describeVideo(undefined, {
    kind: 'describe',
    as: 'video',
    mediaType: 'video/mp4',
    bytes,
    frames,
  });
  return found.kind === 'described' ? found.described : undefined;
}

function compare(asked, { name, described }) {
  if (asked === undefined || described === undefined)
    return { with: name, agreement: 0, verdict: 'no-match' };
  const candidates = [{ cid: name, type: 'video', turn: 0, cosine: 1, evidence: described.evidence }];
  const { evidence, mirrored } = asked;
  const [checked] = checkCandidates({ kind: 'check', method: VIDEO_METHOD, evidence, mirrored, candidates });
  return {
    with: name,
    agreement: checked.agreement,
    verdict: judge(VIDEO_METHOD, checked)?.judgement ?? 'no-match',
  };
}

/** All videos have the same first 3 s. */
async function compareIntros(studio, { stored, describe }) {
  const intro = studio.make(['-i', stored.at(-1).file, '-t', '3', '-c:v', 'libx264', '-preset', 'ultrafast']);
  const joined = [];
  for (const { name, file } of stored.slice(0, 6)) {
    const rest = studio.make(['-i', file, '-t', '7', '-c:v', 'libx264', '-preset', 'ultrafast']);
    joined.push({ name, described: await describe(studio.join([intro, rest])) });
  }
  return joined.flatMap((one, at) => joined.slice(at + 1).map((other) => compare(one.described, other)));
}

function reportShares(report, name, outcomes) {
  const share = (holds) => Math.round((outcomes.filter(holds).length / outcomes.length) * 1000) / 10;
  report.figure(
    `${name}: found`,
    share(({ verdict }) => verdict !== 'no-match'),
    { unit: ' %' },
  );
  report.figure(
    `${name}: auto`,
    share(({ verdict }) => verdict === 'auto'),
    { unit: ' %' },
  );
  const lowest = outcomes.toSorted((a, b) => a.agreement - b.agreement).slice(0, 3);
  report.note(`lowest: ${lowest.map((one) => `${one.name} ${one.agreement.toFixed(3)}`).join(', ')}`);
}

function reportStrangers(report, name, pairs) {
  const count = (verdict) => pairs.filter((pair) => pair.verdict === verdict).length;
  report.figure(`${name}: auto, of ${pairs.length} pairs`, count('auto'), { target: { atMost: 0 } });
  report.figure(`${name}: review`, count('review'));
  report.figure(`${name}: highest agreement`, Math.max(...pairs.map(({ agreement }) => agreement)));
}
