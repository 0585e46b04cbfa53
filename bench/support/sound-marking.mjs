import { detectSoundMark, embedSoundMark } from '../../packages/model/dist/watermark/index.js';
import { foldParts, readSoftBits } from '../../packages/model/dist/watermark/sound/fold-periods.js';
import { PERIOD_HOPS } from '../../packages/model/dist/watermark/sound/layout.js';
import { readRows } from '../../packages/model/dist/watermark/sound/rows.js';
import { decodeSoundBits } from '../../packages/model/dist/watermark/sound/sound-code.js';
import { scoreOfBits, smallestSoundScore } from '../../packages/model/dist/watermark/sound/sound-score.js';
import { KINDS, RATE } from './marked-sounds.mjs';
import { readRecordings } from './recordings.mjs';
import { cut, HAS_FFMPEG, SOUND_ATTACKS } from './sound-attacks.mjs';
import { noiseToMask, segmentalSnr } from './sound-quality.mjs';
import { interval, medianOf } from './statistics.mjs';

const SOUNDS = 12;
const CUTS = 200;
const PHASES = 2_000;
const FIRST_PAYLOAD = 0xc01a_f000n;
/** Sounds from this seed up were used for tuning, so no published figure uses them. */
const TUNED_FROM = 1000;

/** With the option `first`, several short runs can measure different sounds. */
const seedOf = (number, { set = 'report', first = 0 }) =>
  number + Number(first) + (set === 'tune' ? TUNED_FROM : 0);

function listSounds(options) {
  if (options.recordings) {
    const excerpts = readRecordings(options.recordings);
    const title = `${excerpts.length} excerpts of recordings: ${excerpts.map(({ name }) => name).join(', ')}`;
    return [
      {
        title,
        sounds: excerpts.map(
          ({ samples }) =>
            () =>
              samples,
        ),
      },
    ];
  }
  const count = Number(options.sounds ?? SOUNDS);
  return (options.kinds?.split(',') ?? Object.keys(KINDS)).map((kind) => ({
    title: `${count} generated sounds of 30 s (${kind})`,
    sounds: Array.from({ length: count }, (_, number) => () => KINDS[kind](seedOf(number, options))),
  }));
}

export function measureSounds(report, options) {
  const attacks = Object.entries(SOUND_ATTACKS).filter(([, { ffmpeg }]) => HAS_FFMPEG || !ffmpeg);
  for (const { title, sounds } of listSounds(options)) {
    const count = sounds.length;
    report.section(`marking: ${title}`);
    if (!HAS_FFMPEG) report.note('ffmpeg is not installed: no codecs and no other sample rates');
    const found = new Map(attacks.map(([name]) => [name, 0]));
    const quality = [];
    let wrong = 0;
    for (const [number, make] of sounds.entries()) {
      const samples = make();
      const payload = FIRST_PAYLOAD + BigInt(number);
      const [marked] = embedSoundMark({ sampleRate: RATE, channels: [samples] }, payload);
      quality.push({ snr: segmentalSnr(samples, marked), ...noiseToMask(samples, marked, RATE) });
      for (const [name, { alter }] of attacks) {
        const altered = alter({ samples: marked, rate: RATE }, seedOf(number, options));
        const mark = detectSoundMark({ sampleRate: altered.rate, channels: [altered.samples] });
        if (mark?.payload === payload) found.set(name, found.get(name) + 1);
        else if (mark !== undefined) wrong++;
      }
    }
    showQuality(report, quality);
    report.figure('wrong payloads', wrong, { target: { atMost: 0 } });
    for (const [name, hits] of found) {
      const { target } = SOUND_ATTACKS[name];
      const bound = target === undefined ? {} : { atLeast: target };
      report.figure(name, (100 * hits) / count, { unit: ' %', target: bound });
      report.note(`${hits} of ${count}, 95 % interval ${interval(hits, count)}`);
    }
  }
}

function showQuality(report, quality) {
  const of = (name) => quality.map((one) => one[name]);
  report.figure('segmental signal-to-noise ratio, median', medianOf(of('snr')), { unit: ' dB' });
  report.note(`lowest ${Math.min(...of('snr')).toFixed(1)} dB`);
  report.figure('noise-to-mask ratio, 95th percentile, median', medianOf(of('high')), { unit: ' dB' });
  report.note(`highest ${Math.max(...of('high')).toFixed(1)} dB`);
  report.figure('frames and bands above the mask, median', 100 * medianOf(of('above')), { unit: ' %' });
  report.note(`highest ${(100 * Math.max(...of('above'))).toFixed(2)} %`);
}

/**
 * Counts the marks that the detector finds in cuts of 5 to 20 s of sounds without a mark. Also reads payloads at each
 * possible start of a period, until it has read at least `phases` payloads.
 */
export function countMarkedCuts(report, options) {
  const [cuts, phases] = [Number(options.cuts ?? CUTS), Number(options.phases ?? PHASES)];
  const recordings = options.recordings ? readRecordings(options.recordings) : [];
  const kind = recordings.length > 0 ? 'recordings' : 'generated sounds';
  report.section(`marking: ${cuts} cuts of ${kind} without a mark`);
  const counts = { found: 0, places: 0, read: 0, highest: 0 };
  for (let number = 0; number < cuts; number++) {
    const make = number % 2 === 0 ? KINDS.music : KINDS.speech;
    const whole =
      recordings[number % recordings.length]?.samples ?? make(seedOf(Math.floor(number / 8), options));
    const { samples } = cut(
      { samples: whole, rate: RATE },
      number + Number(options.first ?? 0),
      5 + 15 * ((number * 0.618) % 1),
    );
    if (detectSoundMark({ sampleRate: RATE, channels: [samples] })) counts.found++;
    if (counts.read < phases) readEverywhere(samples, counts);
  }
  report.figure('marks found in cuts without a mark', counts.found, { target: { atMost: 0 } });
  report.figure(`valid payloads, of ${counts.read} places`, counts.places, {
    target: { atMost: 0 },
  });
  const smallest = smallestSoundScore.toFixed(2);
  report.note(`highest score ${counts.highest.toFixed(2)}, threshold ${smallest}`);
}

/** Reads payloads at all possible starts of a mark's period; the detector reads only the likeliest ones. */
function readEverywhere(samples, counts) {
  const [whole] = foldParts(readRows(samples, RATE));
  for (const soft of readSoftBits(whole, PERIOD_HOPS)) {
    counts.read++;
    const { bits, payload } = decodeSoundBits(soft);
    const score = scoreOfBits(soft, bits);
    if (score > counts.highest) counts.highest = score;
    if (payload !== undefined && score >= smallestSoundScore) counts.places++;
  }
}
