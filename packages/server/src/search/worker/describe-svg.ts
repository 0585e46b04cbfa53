import { SVG_METHOD } from '../descriptor.js';
import { describeWords, isLongEnough } from '../text/describe-text.js';
import { readDrawing } from '../text/read-drawing.js';
import type { OpenedContent } from './opened-content.js';
import type { DescribeTask, Description } from './protocol.js';
import { toDescription } from './to-description.js';

/** Nothing draws an SVG file, so it has no Content-Code. */
export function openSvg({ bytes }: Pick<DescribeTask, 'bytes'>): OpenedContent {
  return { describe: () => describeSvg(bytes), readUnit: async () => undefined };
}

function describeSvg(bytes: Uint8Array): Description {
  const words = readDrawing(bytes);
  if (!isLongEnough(words))
    return {
      kind: 'nothing',
      reason: 'It has too few elements and attributes for a comparison.',
      hasTooLittle: true,
    };
  return toDescription({ ...describeWords(words), method: SVG_METHOD });
}
