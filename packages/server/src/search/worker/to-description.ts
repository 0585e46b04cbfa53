import type { Described } from '../descriptor.js';
import { toDescriptorText } from '../descriptor-text.js';
import type { Description } from './protocol.js';

/** Converts described content to an answer, which also has the descriptor as text for the database. */
export function toDescription(described: Described): Description {
  return { kind: 'described', described, text: toDescriptorText(described) };
}
