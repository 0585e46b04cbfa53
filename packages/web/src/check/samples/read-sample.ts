import generated from './generated.jpg?inline';
import signed from './signed.jpg?inline';
import tampered from './tampered.jpg?inline';

const SAMPLES = { signed, generated, tampered };

/** `scripts/make-samples.mjs` makes the samples. */
export type SampleName = keyof typeof SAMPLES;

/** The build adds the samples to this module as data URLs. */
export function readSample(name: SampleName): Uint8Array<ArrayBuffer> {
  const [, base64 = ''] = SAMPLES[name].split(',');
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
