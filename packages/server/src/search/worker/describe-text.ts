import { describeWords, isLongEnough } from '../text/describe-text.js';
import { readWords } from '../text/words.js';
import type { Description } from './protocol.js';
import { toDescription } from './to-description.js';

/** How much of a text is described, in bytes. */
const MAX_TEXT_BYTES = 2 ** 20;

/** The description of a text by its first MiB: UTF-8 or, by its mark, UTF-16; what is neither is passed over. */
export function describeText(bytes: Uint8Array): Description {
  const words = readWords(bytes.subarray(0, MAX_TEXT_BYTES));
  if (!isLongEnough(words)) return { kind: 'nothing', reason: 'It has too few words for a comparison.' };
  return toDescription(describeWords(words));
}
