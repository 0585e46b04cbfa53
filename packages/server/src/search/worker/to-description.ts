import type { Described } from '../descriptor.js';
import { toDescriptorText } from '../descriptor-text.js';
import type { Description } from './protocol.js';

/** Converts described content to an answer with the text of its row. */
export function toDescription(described: Described): Description {
  return { kind: 'described', described, text: toDescriptorText(described) };
}
