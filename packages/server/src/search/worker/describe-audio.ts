import { describePrint, isTelling, toPrintBytes } from '../audio/describe-print.js';
import { readPrint, soundFormatOf } from '../audio/read-print.js';
import { AUDIO_METHOD } from '../descriptor.js';
import type { DescribeTask, Description } from './protocol.js';
import { toDescription } from './to-description.js';

export const MAX_SECONDS = 120;
export const LIMIT_MS = 8_000;

/** Describes a sound by the Chromaprint fingerprint of its first two minutes. */
export function describeAudio(
  fpcalc: string | undefined,
  { bytes, mediaType }: Pick<DescribeTask, 'bytes' | 'mediaType'>,
): Description {
  const format = soundFormatOf(mediaType);
  if (fpcalc === undefined || format === undefined)
    return { kind: 'nothing', reason: 'Sound of this kind cannot be described here.', isPassing: true };
  const print = readPrint(fpcalc, { bytes, format, maxSeconds: MAX_SECONDS, limitMs: LIMIT_MS });
  if (print === undefined)
    return { kind: 'nothing', reason: 'It cannot be decoded: it is damaged or cut short.' };
  if (!isTelling(print)) return { kind: 'nothing', reason: 'It has too little sound for a comparison.' };
  const vector = describePrint(print);
  return toDescription({ method: AUDIO_METHOD, vector, evidence: toPrintBytes(print), turned: [vector] });
}
