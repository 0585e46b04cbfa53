import { hasStoredTextUnit, toTextUnit } from '../iscc/content-unit.js';
import { describeWords, isLongEnough } from '../text/describe-text.js';
import { readWords } from '../text/words.js';
import type { OpenedContent } from './opened-content.js';
import type { DescribeTask, Description } from './protocol.js';
import { toDescription } from './to-description.js';

const MAX_TEXT_BYTES = 2 ** 20;

/** JSON and texts above `MAX_STORED_TEXT_BYTES` have no Text-Code. */
export function openText({
  bytes,
  mediaType,
  isOnlySearched,
}: Pick<DescribeTask, 'bytes' | 'mediaType' | 'isOnlySearched'>): OpenedContent {
  const hasUnit = hasStoredTextUnit({ mediaType, sizeBytes: bytes.length });
  return {
    describe: () => describeText(bytes, isOnlySearched),
    readUnit: async () => (hasUnit ? toTextUnit(bytes) : undefined),
  };
}

/** Describes a text by its first MiB: UTF-8 or, with a byte order mark, UTF-16. Invalid bytes separate words. */
export function describeText(bytes: Uint8Array, isOnlySearched = false): Description {
  const words = readWords(bytes.subarray(0, MAX_TEXT_BYTES));
  if (isOnlySearched ? words.ends.length === 0 : !isLongEnough(words))
    return { kind: 'nothing', reason: 'It has too few words for a comparison.', hasTooLittle: true };
  return toDescription(describeWords(words));
}
