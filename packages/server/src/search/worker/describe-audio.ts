import { audioUnit } from '@colophon/model';
import { describePrint, isTelling, toPrintBytes } from '../audio/describe-print.js';
import { readPrint, soundFormatOf } from '../audio/read-print.js';
import { AUDIO_METHOD } from '../descriptor.js';
import type { OpenedContent } from './opened-content.js';
import type { DescribeTask, Description } from './protocol.js';
import { toDescription } from './to-description.js';

export const MAX_SECONDS = 120;
/** A task with an ISCC has time for two such runs (`timesOf` in the pool). */
export const PRINT_TIME = { cpuSeconds: 8, limitMs: 20_000 };
/** A fingerprint with fewer values covers the whole sound. Two minutes have about 940 values. */
const WHOLE_NUMBERS = 900;

/** For a sound of more than two minutes, `readUnit` decodes the whole sound again. */
export function openAudio(
  fpcalc: string | undefined,
  { bytes, mediaType }: Pick<DescribeTask, 'bytes' | 'mediaType'>,
): OpenedContent {
  const format = soundFormatOf(mediaType);
  if (fpcalc === undefined || format === undefined)
    return toUnread({
      reason: 'The service does not read this sound format, or lacks the program fpcalc.',
      isPassing: true,
    });
  const sound = { bytes, format, ...PRINT_TIME };
  const print = readPrint(fpcalc, { ...sound, maxSeconds: MAX_SECONDS });
  if (print === undefined)
    return toUnread({ reason: 'The sound cannot be decoded: it is damaged or cut short.' });
  return {
    describe: () => describeStart(print),
    async readUnit() {
      const whole = print.length < WHOLE_NUMBERS ? print : readPrint(fpcalc, { ...sound, maxSeconds: 0 });
      return whole && audioUnit(whole);
    },
  };
}

export function describeAudio(
  fpcalc: string | undefined,
  sound: Pick<DescribeTask, 'bytes' | 'mediaType'>,
): Description {
  return openAudio(fpcalc, sound).describe();
}

function toUnread(why: { reason: string; isPassing?: true }): OpenedContent {
  const passing = why.isPassing ? { isPassing: why.isPassing } : {};
  return { ...passing, describe: () => ({ kind: 'nothing', ...why }), readUnit: async () => undefined };
}

function describeStart(print: Uint32Array): Description {
  if (!isTelling(print))
    return { kind: 'nothing', reason: 'It has too little sound for a comparison.', hasTooLittle: true };
  const vector = describePrint(print);
  return toDescription({ method: AUDIO_METHOD, vector, evidence: toPrintBytes(print), turned: [vector] });
}
