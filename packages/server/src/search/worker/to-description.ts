import type { Described } from '../descriptor.js';
import { toDescriptorText } from '../descriptor-text.js';
import type { Description } from './protocol.js';

/** The answer that content was described, with the text of its row. */
export function toDescription(described: Described): Description {
  return { kind: 'described', described, text: toDescriptorText(described) };
}
