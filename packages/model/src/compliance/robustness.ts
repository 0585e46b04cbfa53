import type { Robustness } from './compliance-report.js';

/** A value, and the ends of its 95 % interval. */
type Value = readonly [value: number, low?: number, high?: number];
/** One value for each column. */
type Row = readonly [alteration: string, ...values: Value[]];

const WHOLE = [100, 89, 100] as const;
const PHOTO = [100, 93, 100] as const;
const PHOTO_98 = [98, 90, 100] as const;

/** The table "Image marks" of bench/marking.md. */
const IMAGE_MARK: readonly Row[] = [
  ['none', WHOLE, PHOTO],
  ['JPEG q50', WHOLE, PHOTO],
  ['JPEG q30', WHOLE, PHOTO_98],
  ['resize to 25 %', WHOLE, PHOTO_98],
  ['resize to 25 % and back', WHOLE, [96, 87, 99]],
  ['resize to 512 px wide', WHOLE, PHOTO],
  ['crop to 50 % of the area', WHOLE, [96, 87, 99]],
  ['screenshot (resize 0.8, crop 5 %, JPEG q70)', WHOLE, PHOTO],
  ['brightness +20 %', WHOLE, PHOTO_98],
  ['contrast -20 %', WHOLE, PHOTO],
  ['gamma 1.5', WHOLE, PHOTO],
  ['blur 1.5', WHOLE, PHOTO],
  ['noise 8', WHOLE, PHOTO],
  ['rotation by 1 degree', WHOLE, PHOTO_98],
  ['rotation by -3 degrees', WHOLE, PHOTO_98],
  ['rotation by 5 degrees', WHOLE, PHOTO_98],
  ['aspect ratio changed by 1 %', WHOLE, PHOTO],
  ['aspect ratio changed by 2 %', [73.3, 56, 86], [74, 60, 84]],
  ['aspect ratio changed by 3 %', [26.7, 14, 44], [38, 26, 52]],
  ['aspect ratio changed by 5 %', [0, 0, 11], [10, 4, 21]],
  ['WebP q40', WHOLE, [90, 79, 96]],
  ['AVIF q40', WHOLE, [92, 81, 97]],
  ['social media (1080 px, JPEG q75, 80 %, JPEG q60)', WHOLE, PHOTO],
];

const SHOW = [100, 61, 100] as const;

/** The table "Image marks in videos" of bench/marking.md. */
const VIDEO_MARK: readonly Row[] = [
  ['none', SHOW, SHOW],
  ['recompressed (crf 28)', SHOW, SHOW],
  ['recompressed (crf 35)', SHOW, SHOW],
  ['half of its width', SHOW, SHOW],
  ['crop to 64 % of the area', SHOW, SHOW],
  ['the middle 3 s', SHOW, SHOW],
  ['letterboxed (16:9 in 4:3)', SHOW, SHOW],
  ['frame rate 25 to 15', SHOW, SHOW],
  ['brighter, more contrast', SHOW, SHOW],
  ['with a logo', SHOW, SHOW],
  ['social media (854 px, crf 30, then crf 28)', SHOW, SHOW],
];

const ALL = [100, 84, 100] as const;
const MOST = [95, 76, 99] as const;

/** The table "Sound marks" of bench/marking.md. */
const SOUND_MARK: readonly Row[] = [
  ['none', ALL, ALL],
  ['MP3 128 kbit/s', ALL, ALL],
  ['MP3 64 kbit/s', MOST, ALL],
  ['AAC 96 kbit/s', MOST, ALL],
  ['resample to 48 kHz; to 22.05 kHz; to 48 kHz and back', ALL, ALL],
  ['cut to 20 s', MOST, ALL],
  ['cut to 10 s', [90, 70, 97], ALL],
  ['cut to 5 s', [80, 58, 92], [90, 70, 97]],
  ['noise at 30 dB', ALL, ALL],
  ['noise at 20 dB', MOST, MOST],
  ['half as loud, 8 bits', ALL, ALL],
  ['low-pass 4 kHz', [90, 70, 97], ALL],
  ['compressor, equaliser', ALL, ALL],
  ['social media (10 s, 48 kHz, AAC 96, MP3 128)', [90, 70, 97], ALL],
];

/** The table "Videos" of bench/similarity.md. */
const VIDEO_FINGERPRINT: readonly Row[] = [
  ['recompressed (crf 35)', [100], [100]],
  ['rescaled to half its width', [100], [100]],
  ['the middle half', [100], [100]],
  ['letterboxed, 4:3 in 16:9', [92.9], [85.7]],
  ['frame rate 30 to 24', [100], [100]],
  ['with a logo, 16 % of each side', [85.7], [64.3]],
  ['mirrored', [100], [100]],
  ['the middle half, rescaled, with a logo, crf 35', [64.3], [28.6]],
];

/** The first table of bench/similarity.md. */
const IMAGE_FINGERPRINT: readonly Row[] = [
  ['resize to 25 %', [100], [100]],
  ['JPEG q30', [100], [100]],
  ['crop 10 %, all around', [100], [100]],
  ['crop 10 %, one corner', [99], [97.1]],
  ['grayscale', [100], [99]],
  ['flip, either way', [100], [100]],
  ['rotation by 90, 180, 270 degrees', [100], [100]],
  ['border of 8 %', [99], [95.2]],
  ['tilt by 3 degrees', [97.1], [56.2]],
  ['brightness 1.3', [100], [100]],
  ['brightness 0.6', [100], [98.1]],
  ['watermark across the picture', [100], [46.7]],
  ['resize to 45 %, crop 10 % and JPEG q40', [97.1], [91.4]],
];

/** The table "Sound" of bench/similarity.md. */
const SOUND_FINGERPRINT: readonly Row[] = [
  ['quieter, 8 bits a sample', [0.999], [1]],
  ['with noise', [0.993], [0.997]],
  ['muffled', [0.955], [0.979]],
  ['without the first 5 s', [0.93], [0.94]],
  ['the middle half', [0.922], [0.937]],
];

/** The first table of "Texts and SVG files" of bench/similarity.md. */
const TEXT_FINGERPRINT: readonly Row[] = [
  ['text: quoted with > in lines of 60 characters', [100, 94, 100], [100, 94, 100]],
  ['text: its first half', [100, 94, 100], [0, 0, 6]],
  ['text: its second half', [100, 94, 100], [0, 0, 6]],
  ['text: its first quarter', [11.7, 6, 22], [0, 0, 6]],
  ['text: between two other texts of 150 words', [100, 94, 100], [0, 0, 6]],
  ['text: 10 % of the words replaced', [100, 94, 100], [6.7, 3, 16]],
  ['text: 20 % of the words replaced', [100, 94, 100], [0, 0, 6]],
  ['text: 40 % of the words replaced', [26.7, 17, 39], [0, 0, 6]],
  ['text: lower case, other quotes, dashes and ligatures, no markup', [100, 94, 100], [100, 94, 100]],
  ['text: as a page of HTML', [100, 94, 100], [96.7, 89, 99]],
  ['HTML: only its text', [100, 94, 100], [96.7, 89, 99]],
  ['HTML: in the page of another site', [100, 94, 100], [98.3, 91, 100]],
  ['HTML: its first half as text', [100, 94, 100], [0, 0, 6]],
  ['PDF: saved again by pdf-lib', [100, 94, 100], [100, 94, 100]],
  ['PDF: saved again by pdftocairo', [100, 94, 100], [76.7, 65, 86]],
  ['PDF: only its text', [100, 94, 100], [100, 94, 100]],
  ['PDF: its first half', [100, 94, 100], [0, 0, 6]],
];

/** The second table of "Texts and SVG files" of bench/similarity.md. */
const SVG_FINGERPRINT: readonly Row[] = [
  ['minified, attributes in another order', [100, 94, 100], [100, 94, 100]],
  ['numbers with 2 of 3 decimals', [100, 94, 100], [100, 94, 100]],
  ['numbers with 1 of 3 decimals', [100, 94, 100], [93.3, 84, 97]],
  ['numbers without decimals', [73.3, 61, 83], [1.7, 0, 9]],
  ['one colour for all shapes', [73.3, 61, 83], [0, 0, 6]],
  ['without 20 % of its elements', [100, 94, 100], [81.7, 70, 89]],
  ['without half of its elements', [96.7, 89, 99], [0, 0, 6]],
  ['in a group that scales it', [100, 94, 100], [100, 94, 100]],
];

function toFigures(rows: readonly Row[], columns: readonly string[]): Robustness['figures'] {
  return rows.flatMap(([alteration, ...values]) =>
    values.map(([value, low, high], at) => ({
      alteration,
      of: columns[at] ?? '',
      value,
      ...(low === undefined || high === undefined ? {} : { low, high }),
    })),
  );
}

function videoMark(): Robustness {
  return {
    method: 'image-mark/1',
    layer: 'watermark',
    source: 'bench/marking.md',
    measures:
      'Share of altered marked videos in whose frames the detector reads the right payload, with a 95 % interval.',
    unit: 'percent',
    figures: toFigures(VIDEO_MARK, ['generated pictures', 'photographs']),
    limits: [
      'The videos are 6 slide shows of generated pictures and 6 of photographs. No film was measured.',
      'The level of the mark was chosen with other slide shows.',
      'The detector found a mark in 0 of 12 unmarked slide shows.',
      'The service marks videos of at most 60 s in MP4 and MOV, and needs FFmpeg.',
      'Everybody can read, remove or copy a watermark. It points to a record and proves no origin.',
    ],
  };
}

/**
 * Returns the measured robustness of the watermark and fingerprint methods of this version. `source` is the path of the
 * page with the measurement and the steps to repeat it. A method without a measurement has no figures.
 *
 * @example
 * robustnessOfMethods()[0]?.method; // => 'image-mark/1'
 */
export function robustnessOfMethods(): Robustness[] {
  return [
    {
      method: 'image-mark/1',
      layer: 'watermark',
      source: 'bench/marking.md',
      measures:
        'Share of altered marked pictures in which the detector reads the right payload, with a 95 % interval.',
      unit: 'percent',
      figures: toFigures(IMAGE_MARK, ['generated', 'photographs']),
      limits: [
        'Generated: 30 pictures that a program made. Photographs: 50. The intervals are wide because the sets are small.',
        'The level of the mark was chosen with the first 20 photographs. bench/marking.md also has the figures of the other 30 alone.',
        'False positives: the calculated upper bound is 10^-6. The detector found no mark in 2,615 crops of unmarked photographs. A faster implementation of the detector found none in 10^6 overlapping crops of 50 photographs.',
        'The detector finds no mark after rotations of more than 7 degrees, quarter turns, mirroring, or crops below about a third of the area.',
        'Stretching in one direction removes the mark: after a change of the aspect ratio of 3 %, the detector found the marks of only 38 % of the photographs.',
        'Everybody can read, remove or copy a watermark. It points to a record and proves no origin.',
      ],
    },
    videoMark(),
    soundMark(),
    {
      method: 'image-512/1',
      layer: 'fingerprint',
      source: 'bench/similarity.md',
      measures:
        'Share of altered copies of 105 recorded pictures for which the search finds the original first, and for which its verdict is auto (certainly a copy).',
      unit: 'percent',
      figures: toFigures(IMAGE_FINGERPRINT, ['found first', 'verdict auto']),
      limits: [
        'A program made the pictures. They are not photographs.',
        'False matches: none of 140 other pictures had a match. With 95 % confidence, the rate is below 2.2 %.',
      ],
    },
    {
      method: 'audio-512/1',
      layer: 'fingerprint',
      source: 'bench/similarity.md',
      measures:
        'Share of equal bits of the fingerprints of a changed and a recorded melody. From 0.85 on, the verdict is auto (certainly a copy).',
      unit: 'agreement',
      figures: toFigures(SOUND_FINGERPRINT, ['lowest agreement', 'median']),
      limits: [
        'A program made the 40 melodies of 30 s. One recording of real music was tested.',
        'False matches: the highest agreement of 100 other melodies was 0.674. With 95 % confidence, the rate is below 3 %.',
      ],
    },
    {
      method: 'video-frames/1',
      layer: 'fingerprint',
      source: 'bench/similarity.md',
      measures:
        'Share of the altered copies of 14 videos that the comparison finds, and share with the verdict auto (certainly a copy).',
      unit: 'percent',
      figures: toFigures(VIDEO_FINGERPRINT, ['found', 'verdict auto']),
      limits: [
        'Programs made the 14 videos, which are short. One video is 7.1 % of them.',
        'False matches: none of 1,547 pairs of different videos had a match. With 95 % confidence, the rate is below 0.2 %.',
        'The service compares the first 2 minutes, and needs FFmpeg.',
      ],
    },
    ...textFingerprints(),
  ];
}

function soundMark(): Robustness {
  return {
    method: 'sound-mark/1',
    layer: 'watermark',
    source: 'bench/marking.md',
    measures:
      'Share of altered marked sounds in which the detector reads the right payload, with a 95 % interval.',
    unit: 'percent',
    figures: toFigures(SOUND_MARK, ['music', 'speech-like']),
    limits: [
      'A program made the 20 sounds of each kind. Only one recording was measured: after each alteration, the detector found the marks of 8 of 8 excerpts of one song.',
      'Music cut to 10 s misses the target of 95 %.',
      'False positives: the calculated upper bound is 10^-6. The detector found a mark in 0 of 120 cuts of unmarked sounds.',
      'Changes of speed or pitch destroy the mark. Without FFmpeg, the service marks and reads only WAV files.',
      'Everybody can read, remove or copy a watermark. It points to a record and proves no origin.',
    ],
  };
}

function textFingerprints(): Robustness[] {
  return [
    {
      method: 'svg-512/1',
      layer: 'fingerprint',
      source: 'bench/similarity.md',
      measures:
        'Share of altered copies of 60 recorded drawings for which the search finds the original first, and for which its verdict is auto (certainly a copy), with a 95 % interval.',
      unit: 'percent',
      figures: toFigures(SVG_FINGERPRINT, ['found first', 'verdict auto']),
      limits: [
        'A program made the drawings.',
        'False matches: none of the 60 other drawings had a match. With 95 % confidence, the rate is below 5 %.',
        'Search does not find an SVG file that was converted to a picture of pixels, or whose shapes were converted.',
      ],
    },
    {
      method: 'text-512/1',
      layer: 'fingerprint',
      source: 'bench/similarity.md',
      measures:
        'Share of altered copies of 60 recorded texts for which the search finds the original first, and for which its verdict is auto (certainly a copy), with a 95 % interval.',
      unit: 'percent',
      figures: toFigures(TEXT_FINGERPRINT, ['found first', 'verdict auto']),
      limits: [
        'The texts are 60 pages of English text from the documentation of this project.',
        'False matches: none of the 60 other texts had a match. With 95 % confidence, the rate is below 5 %.',
        'Search does not find a paraphrase of a text, and finds few quarters of a text.',
      ],
    },
  ];
}
