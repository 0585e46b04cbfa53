// Measures whether fingerprints distinguish changed copies of a sound from other sounds. Needs fpcalc (Debian:
// libchromaprint-tools).
import { readConfig } from '../packages/server/dist/config.js';
import { printAgreement } from '../packages/server/dist/search/audio/describe-print.js';
import { dot } from '../packages/server/dist/search/vector.js';
import { describeAudio } from '../packages/server/dist/search/worker/describe-audio.js';
import { CHANGES, makeSound, toWav } from './support/sounds.mjs';
import { medianOf } from './support/statistics.mjs';

const RECORDED = 40;
const UNSEEN = 100;
const CANDIDATES = 8;

export async function run(report) {
  report.section(`sounds: ${RECORDED} recorded melodies, ${UNSEEN} that were never recorded`);
  const { fpcalc } = readConfig({ PATH: process.env.PATH }).search;
  if (fpcalc === undefined) return report.note('fpcalc is not installed: nothing measured');
  const describe = (samples) =>
    describeAudio(fpcalc, { bytes: toWav(samples), mediaType: 'audio/wav' }).described;
  const stored = Array.from({ length: RECORDED }, (_, number) => describe(makeSound(number)));
  for (const [name, change] of Object.entries(CHANGES)) {
    const changed = stored.map((_, number) => describe(change(makeSound(number))));
    const first = changed.filter((one, number) => nearest(stored, one)[0] === stored[number]);
    const agreements = changed.map((one, number) => printAgreement(one.evidence, stored[number].evidence));
    report.figure(`${name}: first candidate`, first.length / RECORDED, { target: { atLeast: 0.98 } });
    report.figure(`${name}: lowest agreement`, Math.min(...agreements), { target: { atLeast: 0.85 } });
    report.figure(`${name}: median`, medianOf(agreements));
  }
  const strangers = Array.from({ length: UNSEEN }, (_, number) => {
    const one = describe(makeSound(RECORDED + number));
    const likely = nearest(stored, one).slice(0, CANDIDATES);
    return Math.max(...likely.map(({ evidence }) => printAgreement(one.evidence, evidence)));
  });
  report.figure('never recorded: highest agreement', Math.max(...strangers), { target: { atMost: 0.75 } });
  report.figure('never recorded: median', medianOf(strangers));
}

function nearest(stored, { vector }) {
  return stored.toSorted((a, b) => dot(b.vector, vector) - dot(a.vector, vector));
}
